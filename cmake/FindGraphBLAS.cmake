# SuiteSparse:GraphBLAS as Debian packages it (no CMake config, no .pc) or as it installs itself.
# Gives GraphBLAS::GraphBLAS.
find_path(GRAPHBLAS_INCLUDE_DIR GraphBLAS.h PATH_SUFFIXES suitesparse)
find_library(GRAPHBLAS_LIBRARY graphblas)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(GraphBLAS REQUIRED_VARS GRAPHBLAS_LIBRARY GRAPHBLAS_INCLUDE_DIR)
if(GraphBLAS_FOUND AND NOT TARGET GraphBLAS::GraphBLAS)
  add_library(GraphBLAS::GraphBLAS UNKNOWN IMPORTED)
  set_target_properties(
    GraphBLAS::GraphBLAS PROPERTIES IMPORTED_LOCATION ${GRAPHBLAS_LIBRARY}
                                    INTERFACE_INCLUDE_DIRECTORIES ${GRAPHBLAS_INCLUDE_DIR})
endif()
