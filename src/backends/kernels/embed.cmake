# Writes the kernel texts of this folder into one C++ source of raw string literals, each under its
# name without the folder. It runs when CMake does, and again whenever a text changes: no program has
# to be built first.

function(tropic_embed output)
  set(code "// Written by embed.cmake.\n#include \"backends/kernels/texts.hpp\"\n\n")
  string(APPEND code "namespace tropic::detail {\n\n")
  string(APPEND code "std::string_view kernel_text(std::string_view file) {\n")
  foreach(file IN LISTS ARGN)
    file(READ ${CMAKE_CURRENT_SOURCE_DIR}/${file} text)
    get_filename_component(name ${file} NAME)
    string(APPEND code "  if (file == \"${name}\") return R\"tropic(${text})tropic\";\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                           ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  string(APPEND code "  return {};\n}\n\n}  // namespace tropic::detail\n")
  file(CONFIGURE OUTPUT ${output} CONTENT "${code}" @ONLY)  # leaves an unchanged file alone
endfunction()
