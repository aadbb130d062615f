# CUDA programs of built-in semirings and of the algorithms, compiled for common GPUs by the program
# itself (`tropic precompile`): share/tropic/programs of the build folder, where programs of the build
# find them, and of the prefix. NVRTC is needed, a GPU is not.
set(TROPIC_PRECOMPILED_ARCHITECTURES
    "sm_75,sm_80,sm_90,sm_100,sm_120"
    CACHE STRING "Architectures of precompiled CUDA programs; each serves the later ones of its generation")
find_library(
  TROPIC_NVRTC
  NAMES libnvrtc.so.13 libnvrtc.so.12 nvrtc
  HINTS ENV CUDA_PATH ENV CUDA_HOME
  PATHS /usr/local/cuda
  PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib
  DOC "NVRTC, which compiles CUDA programs ahead")
mark_as_advanced(TROPIC_NVRTC)
if(NOT TROPIC_NVRTC)
  message(FATAL_ERROR "TROPIC_PRECOMPILED_PROGRAMS needs NVRTC, which was not found. Give its file as \
TROPIC_NVRTC, or turn the option off: programs are then compiled when they are first used")
endif()
if(NOT TARGET tropic_cli)
  message(FATAL_ERROR "TROPIC_PRECOMPILED_PROGRAMS needs TROPIC_BUILD_CLI: the program compiles them")
endif()

set(programs_folder ${CMAKE_CURRENT_BINARY_DIR}/share/tropic/programs)
string(REPLACE "," ";" architectures "${TROPIC_PRECOMPILED_ARCHITECTURES}")
list(TRANSFORM architectures PREPEND ${programs_folder}/)
list(TRANSFORM architectures APPEND .programs)
add_custom_command(
  OUTPUT ${architectures}
  COMMAND
    ${CMAKE_COMMAND} -E env TROPIC_NVRTC_LIBRARY=${TROPIC_NVRTC} $<TARGET_FILE:tropic_cli> precompile
    --arch ${TROPIC_PRECOMPILED_ARCHITECTURES} ${programs_folder}
  DEPENDS tropic_cli
  COMMENT "Compiling CUDA programs for ${TROPIC_PRECOMPILED_ARCHITECTURES}"
  VERBATIM USES_TERMINAL)
add_custom_target(tropic_programs ALL DEPENDS ${architectures})
