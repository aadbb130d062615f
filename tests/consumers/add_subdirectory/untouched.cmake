# What scripts/check-install sees to at the end of this project's configuration: Tropic has left its
# settings alone and brought nothing but the library. The script says -DCMAKE_BUILD_TYPE=Debug.
cmake_language(DEFER CALL tropic_untouched)

function(tropic_expect variable value)
  if(NOT "${${variable}}" STREQUAL "${value}")
    message(FATAL_ERROR "add_subdirectory(tropic) leaves ${variable} as '${${variable}}', not '${value}'")
  endif()
endfunction()

function(tropic_untouched)
  tropic_expect(CMAKE_BUILD_TYPE Debug)
  foreach(variable CMAKE_CXX_STANDARD CMAKE_CXX_EXTENSIONS CMAKE_EXPORT_COMPILE_COMMANDS
                   CMAKE_MODULE_PATH BUILD_TESTING CPACK_PACKAGE_NAME)
    tropic_expect(${variable} "")
  endforeach()
  foreach(variable TROPIC_BUILD_CLI TROPIC_BUILD_TESTS TROPIC_BUILD_EXAMPLES TROPIC_INSTALL)
    tropic_expect(${variable} OFF)
  endforeach()
  foreach(target tropic_cli tropic_io_tests example_quick_start)
    if(TARGET ${target})
      message(FATAL_ERROR "add_subdirectory(tropic) brings the target ${target}")
    endif()
  endforeach()
endfunction()
