# Misuse must fail to compile, with one error, which is a sentence of ours. Run by CTest as
#   cmake -DCOMPILER=... -DFILE=... "-DFLAGS=..." -P misuse.cmake
# FILE holds one mistake; in its line "// expect:" the sentence, a regular expression. "correct" has
# no mistake: it shows that the others fail for theirs and not for their includes. With MAY_COMPILE it
# is none where a library's version makes none of it.
separate_arguments(FLAGS UNIX_COMMAND "${FLAGS}")
execute_process(
  COMMAND ${COMPILER} -std=c++20 -fsyntax-only ${FLAGS} ${FILE}
  RESULT_VARIABLE failed
  OUTPUT_VARIABLE said
  ERROR_VARIABLE said)
get_filename_component(name ${FILE} NAME_WE)
if(name MATCHES "^correct")
  if(failed)
    message(FATAL_ERROR "does not compile:\n${said}")
  endif()
  return()
endif()
if(NOT failed)
  if(MAY_COMPILE)
    return()
  endif()
  message(FATAL_ERROR "compiles")
endif()
file(STRINGS ${FILE} lines REGEX "// expect: ")
list(GET lines 0 expected)
string(REGEX REPLACE ".*// expect: " "" expected "${expected}")
if(NOT said MATCHES "error: [^\n]*${expected}")
  message(FATAL_ERROR "expected an error '${expected}', found:\n${said}")
endif()
string(REGEX MATCHALL "error: " errors "${said}")
list(LENGTH errors count)
# "// more:" where the compiler has to say more than the sentence.
file(STRINGS ${FILE} lines REGEX "// more: ")
if(NOT count EQUAL 1 AND NOT lines)
  message(FATAL_ERROR "expected one error, found ${count}:\n${said}")
endif()
