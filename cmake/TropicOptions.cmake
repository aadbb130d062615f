# Two interface targets: the options that the semantics of the algebra requires of every compiler
# (including users'), and the warnings for our own code.

add_library(tropic_semantics INTERFACE)
set_target_properties(tropic_semantics PROPERTIES EXPORT_NAME semantics)
# Operators give the same result everywhere: no fused multiply-add.
target_compile_options(tropic_semantics INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU,Clang>:-ffp-contract=off>)
target_compile_features(tropic_semantics INTERFACE cxx_std_20)

add_library(tropic_warnings INTERFACE)
target_compile_options(
  tropic_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion
                            # g++ 12 sees overlap in every string + literal (its bug 105651).
                            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
                            $<$<BOOL:${TROPIC_WARNINGS_AS_ERRORS}>:-Werror>)

# With sanitizers g++ 12 takes boost::optional and parts of <regex> for uninitialised (its bug 105562).
function(tropic_ignore_uninitialized target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    target_compile_options(${target} PRIVATE -Wno-uninitialized -Wno-maybe-uninitialized)
  endif()
endfunction()
