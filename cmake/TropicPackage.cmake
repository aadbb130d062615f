# `cpack -G DEB`: three packages, as usual for libraries in Debian. A machine that only runs
# programs needs libtropic0.1 without headers; the next, incompatible version can be installed
# beside it under another name; and the `tropic` program, which contains what it needs of the
# library, requires neither.
set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(TROPIC_MAINTAINER "The Tropic authors <tropic@tropic.invalid>" CACHE STRING "Maintainer of the packages")

set(CPACK_PACKAGE_NAME tropic)
set(CPACK_PACKAGE_VENDOR "The Tropic authors")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL development)
if(BUILD_SHARED_LIBS)
  list(APPEND CPACK_COMPONENTS_ALL runtime)
endif()
if(TARGET tropic_cli)
  list(APPEND CPACK_COMPONENTS_ALL program)
endif()
if(TROPIC_PRECOMPILED_PROGRAMS)
  list(APPEND CPACK_COMPONENTS_ALL programs)
endif()

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${TROPIC_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)

set(about "Semirings define what a product of a sparse matrix and a vector computes:
shortest paths, reachability, reliability, or one's own. Products run on the
CPU and, where there is a driver, on CUDA and OpenCL devices.")

# Drivers are opened at run time, if there are any.
set(drivers ocl-icd-libopencl1)
if(TROPIC_PRECOMPILED_PROGRAMS)
  string(APPEND drivers ", tropic-programs")
endif()

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libtropic${soversion})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS ${drivers})
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "${about}\nThis is the shared library.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtropic-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libgraphblas-dev, libboost-graph-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "${about}\nThis is what programs are built with.")
if(BUILD_SHARED_LIBS)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libtropic${soversion} (= ${PROJECT_VERSION})")
else()
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libfmt-dev, libboost-iostreams-dev")
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME tropic)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS ${drivers})
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "${about}\nThis is the program on the command line.")

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME tropic-programs)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION
    "${about}\nThese are its CUDA programs, compiled for common GPUs: without them a\nprogram is compiled when it is first used.")

# The package that programs linked with the library depend on, and the update of the linker's cache,
# which dpkg runs once for all packages.
set(package_files ${PROJECT_BINARY_DIR}/package)
file(CONFIGURE OUTPUT ${package_files}/shlibs
     CONTENT "libtropic ${soversion} libtropic${soversion} (>= ${PROJECT_VERSION})\n")
file(CONFIGURE OUTPUT ${package_files}/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${package_files}/shlibs ${package_files}/triggers)

# The two documents that Debian requires in every package. SOURCE_DATE_EPOCH is respected.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(cmake/debian-changelog.in ${package_files}/changelog @ONLY)
configure_file(cmake/debian-copyright.in ${package_files}/copyright COPYONLY)
find_program(TROPIC_GZIP gzip)
mark_as_advanced(TROPIC_GZIP)
set(documents ${package_files}/copyright)
if(TROPIC_GZIP)
  execute_process(COMMAND ${TROPIC_GZIP} -9nkf ${package_files}/changelog)
  list(APPEND documents ${package_files}/changelog.gz)
endif()
foreach(part RUNTIME DEVELOPMENT PROGRAM PROGRAMS)
  string(TOLOWER ${part} component)
  install(
    FILES ${documents}
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${part}_PACKAGE_NAME}
    COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()

include(CPack)
