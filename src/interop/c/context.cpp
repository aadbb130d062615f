// SPDX-License-Identifier: Apache-2.0

// Contexts and devices of the C ABI.

#include "interop/c/support.hpp"

using namespace tropic::c_abi;
using tropic::context;
using tropic::context_options;

namespace {

context_options options_of(const tropic_context_options& given, const context_handle& of) {
  context_options result;
  result.threads = given.threads;
  result.memory_limit = given.memory_limit;
  result.queue = given.queue;
  result.cancel = of->cancel;
  if (given.text_compiler != nullptr) result.text_compiler = given.text_compiler;
  if (given.log != nullptr)
    result.log = [log = given.log, data = given.data](std::string_view message) {
      log(data, std::string(message).c_str());
    };
  if (given.progress != nullptr)
    result.progress = [progress = given.progress, data = given.data](std::string_view step,
                                                                     double fraction) {
      progress(data, std::string(step).c_str(), fraction);
    };
  return result;
}

}  // namespace

tropic_status tropic_context_new(const char* device, const tropic_context_options* options,
                                 tropic_context** result) {
  return guarded(nullptr, "tropic_context_new", [&](const call& c) {
    c.need(result, "result") = nullptr;
    c.need(device, "device");
    static const tropic_context_options defaults = TROPIC_CONTEXT_OPTIONS_INIT;
    const tropic_context_options wanted = c.options(options, defaults, "options");
    auto of = std::make_shared<shared_context>();
    of->where = context::named(device, options_of(wanted, of));
    *result = new tropic_context{std::move(of)};
  });
}

void tropic_context_free(tropic_context* context) {
  delete context;
}

tropic_status tropic_context_name(const tropic_context* context, const char** name) {
  return guarded(context_of(context), "tropic_context_name", [&](const call& c) {
    c.need(context, "context");
    c.need(name, "name") = context->of->where->name().c_str();
  });
}

tropic_status tropic_context_threads(const tropic_context* context, int* threads) {
  return guarded(context_of(context), "tropic_context_threads", [&](const call& c) {
    c.need(context, "context");
    c.need(threads, "threads") = context->of->where->threads();
  });
}

tropic_status tropic_context_memory(const tropic_context* context, size_t* used, size_t* limit) {
  return guarded(context_of(context), "tropic_context_memory", [&](const call& c) {
    c.need(context, "context");
    c.distinct("used, limit", used, limit);
    if (used != nullptr) *used = context->of->where->memory_used();
    if (limit != nullptr) *limit = context->of->where->memory_limit();
  });
}

tropic_status tropic_context_synchronize(const tropic_context* context) {
  return guarded(context_of(context), "tropic_context_synchronize",
                 [&](const call& c) { c.need(context, "context").of->where->synchronize(); });
}

void tropic_context_cancel(tropic_context* context) {
  if (context != nullptr) context->of->cancel.cancel();
}

void tropic_context_resume(tropic_context* context) {
  if (context != nullptr) context->of->cancel.reset();
}
