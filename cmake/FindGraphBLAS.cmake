# Finds SuiteSparse:GraphBLAS by its own CMake configuration (installed by SuiteSparse 7 and later),
# by pkg-config, or by looking for the header in its two usual places (Debian 12 has neither of the
# others). Defines GraphBLAS::GraphBLAS, GraphBLAS_VERSION and GraphBLAS_INCLUDE_DIR;
# GraphBLAS_ROOT, CMAKE_PREFIX_PATH and PKG_CONFIG_PATH add places to look.
if(NOT TARGET GraphBLAS::GraphBLAS)
  find_package(GraphBLAS CONFIG QUIET)
  foreach(candidate GraphBLAS::GraphBLAS SuiteSparse::GraphBLAS SuiteSparse::GraphBLAS_static)
    if(TARGET ${candidate} AND NOT found_target)
      set(found_target ${candidate})
      get_target_property(found_include ${candidate} INTERFACE_INCLUDE_DIRECTORIES)
      find_path(GRAPHBLAS_INCLUDE_DIR GraphBLAS.h HINTS ${found_include} PATH_SUFFIXES suitesparse)
      set(GRAPHBLAS_LIBRARY ${candidate})
    endif()
  endforeach()
  unset(found_target)
  if(NOT GRAPHBLAS_LIBRARY)
    find_package(PkgConfig QUIET)
    if(PKG_CONFIG_FOUND)
      pkg_check_modules(PC_GRAPHBLAS QUIET GraphBLAS)
    endif()
  endif()
  find_path(
    GRAPHBLAS_INCLUDE_DIR GraphBLAS.h
    HINTS ${PC_GRAPHBLAS_INCLUDE_DIRS}
    PATH_SUFFIXES suitesparse)
  find_library(
    GRAPHBLAS_LIBRARY
    NAMES graphblas
    HINTS ${PC_GRAPHBLAS_LIBRARY_DIRS})
endif()

if(GRAPHBLAS_INCLUDE_DIR AND NOT GraphBLAS_VERSION)
  foreach(part MAJOR MINOR SUB)
    file(STRINGS "${GRAPHBLAS_INCLUDE_DIR}/GraphBLAS.h" line
         REGEX "^#define[ ]+GxB_IMPLEMENTATION_${part}[ ]+[0-9]+")
    string(REGEX MATCH "[0-9]+" version_${part} "${line}")
  endforeach()
  set(GraphBLAS_VERSION ${version_MAJOR}.${version_MINOR}.${version_SUB})
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(
  GraphBLAS
  REQUIRED_VARS GRAPHBLAS_LIBRARY GRAPHBLAS_INCLUDE_DIR
  VERSION_VAR GraphBLAS_VERSION)

if(GraphBLAS_FOUND AND NOT TARGET GraphBLAS::GraphBLAS)
  set(GraphBLAS_INCLUDE_DIR ${GRAPHBLAS_INCLUDE_DIR})
  if(TARGET ${GRAPHBLAS_LIBRARY})
    add_library(GraphBLAS::GraphBLAS INTERFACE IMPORTED)
    set_target_properties(
      GraphBLAS::GraphBLAS PROPERTIES INTERFACE_LINK_LIBRARIES ${GRAPHBLAS_LIBRARY}
                                      INTERFACE_INCLUDE_DIRECTORIES ${GRAPHBLAS_INCLUDE_DIR})
  else()
    add_library(GraphBLAS::GraphBLAS UNKNOWN IMPORTED)
    set_target_properties(
      GraphBLAS::GraphBLAS PROPERTIES IMPORTED_LOCATION ${GRAPHBLAS_LIBRARY}
                                      INTERFACE_INCLUDE_DIRECTORIES ${GRAPHBLAS_INCLUDE_DIR})
  endif()
endif()
mark_as_advanced(GRAPHBLAS_INCLUDE_DIR GRAPHBLAS_LIBRARY)
