# Rules of `cmake --install`, in parts that CPack packages separately: `runtime` (the shared
# library), `development` (headers, link files, files for CMake and pkg-config, documents), `program` and
# `programs` (compiled CUDA programs). No file contains the build or install path: the prefix may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(installed_library tropic)
if(BUILD_SHARED_LIBS)
  set(installed_library tropic_shared)
endif()
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Tropic)

install(
  TARGETS ${installed_library} tropic_semantics
  EXPORT TropicTargets
  LIBRARY COMPONENT runtime NAMELINK_COMPONENT development
  ARCHIVE COMPONENT development
  INCLUDES
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT TropicTargets
  NAMESPACE Tropic::
  DESTINATION ${package_dir}
  COMPONENT development)

install(
  DIRECTORY include/tropic
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.hpp"
  PATTERN "*.h"
  PATTERN semirings EXCLUDE # links to the folders that follow
  PATTERN algorithms EXCLUDE)
install(
  DIRECTORY semirings algorithms
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tropic
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.hpp")

if(TARGET tropic_cli)
  install(TARGETS tropic_cli RUNTIME COMPONENT program)
endif()

if(TROPIC_PRECOMPILED_PROGRAMS)
  install(
    DIRECTORY ${programs_folder}/
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/tropic/programs
    COMPONENT programs
    FILES_MATCHING
    PATTERN "*.programs")
endif()

# --- for CMake -----------------------------------------------------------------------------------

configure_package_config_file(
  cmake/TropicConfig.cmake.in TropicConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(TropicConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/TropicConfig.cmake
        ${CMAKE_CURRENT_BINARY_DIR}/TropicConfigVersion.cmake cmake/FindGraphBLAS.cmake
  DESTINATION ${package_dir}
  COMPONENT development)

# --- for pkg-config ------------------------------------------------------------------------------

# Users of a static library have to link what a shared one has linked itself. Only one of them is
# installed, so its requirements are public: `pkg-config --libs` links with or without --static.
set(pc_flags "")
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set(pc_flags -ffp-contract=off)
endif()
set(pc_requires "")
set(pc_libraries "")
if(NOT BUILD_SHARED_LIBS)
  set(pc_requires fmt)
  set(pc_libraries -lboost_iostreams ${OpenMP_CXX_FLAGS})
  foreach(library IN LISTS CMAKE_DL_LIBS CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    # Libraries of C are linked anyway, those of C++ only by a C++ compiler.
    if(library MATCHES "^(dl|stdc\\+\\+|c\\+\\+|m)$" AND NOT "-l${library}" IN_LIST pc_libraries)
      list(APPEND pc_libraries -l${library})
    endif()
  endforeach()
  list(JOIN pc_libraries " " pc_libraries)
endif()
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(pc_prefix ${CMAKE_INSTALL_PREFIX})
  set(pc_libdir ${CMAKE_INSTALL_FULL_LIBDIR})
  set(pc_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
  string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
  set(pc_prefix "\${pcfiledir}/${to_prefix}")
  set(pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/tropic.pc.in tropic.pc @ONLY)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/tropic.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)

# --- documents -----------------------------------------------------------------------------------

install(
  FILES README.md CHANGELOG.md LICENSE
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT development)
install(
  DIRECTORY docs examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT development
  FILES_MATCHING
  PATTERN "*.md"
  PATTERN "*.svg"
  PATTERN "*.cpp")

if(PROJECT_IS_TOP_LEVEL)
  include(TropicPackage)
endif()
