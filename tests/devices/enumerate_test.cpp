// SPDX-License-Identifier: Apache-2.0

// Absent devices are reported with a reason; errors on the device name the operation.

#include <gtest/gtest.h>

#include <tropic/error.hpp>

#include "support/messages.hpp"
#include "support/surroundings.hpp"
#ifdef TROPIC_WITH_OPENCL
#include "opencl_fixture.hpp"
#include "semiring_samples.hpp"
#endif

namespace tropic::testing {
namespace {

using namespace tropic::detail;

#ifdef TROPIC_WITH_OPENCL

TEST(OpenCLDevices, WithoutALibraryThereIsAReason) {
  const environment_variable missing("TROPIC_OPENCL_LIBRARY", "/nowhere/libOpenCL.so.1");
  std::string reason;
  EXPECT_EQ(opencl_library::open(reason), nullptr);
  EXPECT_EQ(reason, "/nowhere/libOpenCL.so.1 cannot be opened");
}

TEST(OpenCLDevices, ALibraryThatIsNotOpenCLIsNamed) {
  const environment_variable other("TROPIC_OPENCL_LIBRARY", "libm.so.6");
  std::string reason;
  EXPECT_EQ(opencl_library::open(reason), nullptr);
  EXPECT_NE(reason.find("libm.so.6 has no clGetPlatformIDs"), std::string::npos) << reason;
}

using OpenCLErrors = OnOpenCL;

TEST_F(OpenCLErrors, SurfaceAtTheNextSynchronisationWithTheOperation) {
  const opencl_library& cl = runtime->library();
  cl_int status = CL_SUCCESS;
  cl_event failed = cl.clCreateUserEvent(runtime->context(), &status);
  ASSERT_EQ(status, CL_SUCCESS);
  runtime->watch(failed, "vxm");
  ASSERT_EQ(cl.clSetUserEventStatus(failed, CL_OUT_OF_RESOURCES), CL_SUCCESS);
  const std::string message = message_of<device_error>([&] { runtime->finish(); });
  EXPECT_TRUE(message.starts_with("vxm on opencl:0")) << message;
  EXPECT_NE(message.find("CL_OUT_OF_RESOURCES (-5)"), std::string::npos) << message;
  EXPECT_NO_THROW(runtime->finish());  // the error was reported once; the runtime stays usable
}

TEST_F(OpenCLErrors, OutOfMemorySaysWhatIsRequiredAndFree) {
  const std::size_t too_much = runtime->device().largest_buffer + std::size_t{1};
  try {
    runtime->allocate(too_much);
    FAIL() << "it fits";
  } catch (const out_of_memory& e) {
    EXPECT_EQ(e.required, too_much);
    EXPECT_LE(e.available, runtime->device().largest_buffer);
    EXPECT_GT(e.available, 0u);
  }
  const device_bytes still(*runtime, "usable", 6);
  EXPECT_EQ(static_cast<char>(still.read()[0]), 'u');
}

TEST_F(OpenCLErrors, CompileErrorsShowTheUsersExpression) {
  const semiring_description described =
      describe_semiring(semiring<plus_monoid<float>, my_times>{});
  device_program program =
      make_program(dialect::opencl, {.kernel = "csr_scalar", .semiring = &described});
  program.text += "this is no kernel\n";
  const std::string message =
      message_of<device_error>([&] { runtime->program("broken", program); });
  EXPECT_NE(message.find("(x) * (y)"), std::string::npos) << message;
  EXPECT_NE(message.find("error"), std::string::npos) << message;
}

TEST_F(OpenCLErrors, RecordsLaidOutOtherwiseAreRefused) {
  const semiring_description described = describe_semiring(semiring<mix_monoid<mixed>, mix>{});
  device_program program =
      make_program(dialect::opencl, {.kernel = "csr_scalar", .semiring = &described});
  EXPECT_NE(runtime->program("records as they are", program), nullptr);
  ++program.layout[2];
  EXPECT_THROW(runtime->program("records shifted", program), device_error);
}

#endif

}  // namespace
}  // namespace tropic::testing
