# Included by core/CMakeLists.txt, it defines a library of one object, version.cpp, which each build regenerates and
# compiles only if the commit has changed. That build runs this file as a script (-P):
#   cmake -D SOURCE=folder -D VERSION=0.2.0 -D OUTPUT=version.cpp -P version.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(version_source ${CMAKE_CURRENT_BINARY_DIR}/version/version.cpp)
  add_custom_target(emergence_commit
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D VERSION=${PROJECT_VERSION}
            -D OUTPUT=${version_source} -P ${CMAKE_CURRENT_LIST_FILE}
    BYPRODUCTS ${version_source} VERBATIM)
  add_library(emergence_version OBJECT ${version_source})
  add_dependencies(emergence_version emergence_commit)
  target_link_libraries(emergence_version PRIVATE emergence::options)
  return()
endif()

# The output of git; "" without git, or if git fails.
function(ask_git answer)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env GIT_OPTIONAL_LOCKS=0 git -C ${SOURCE} ${ARGN}
    OUTPUT_VARIABLE out ERROR_QUIET RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(failed)
    set(out "")
  endif()
  set(${answer} "${out}" PARENT_SCOPE)
endfunction()

set(CLEAN_COMMIT "")
set(VERSION_WITH_COMMIT ${VERSION})
# A tarball unpacked inside another checkout is not at the commit of that checkout.
ask_git(top rev-parse --show-toplevel)
file(REAL_PATH ${SOURCE} real_source)
if(top STREQUAL real_source)
  ask_git(full rev-parse HEAD)
  # Only compiled and shipped files: a changed test or page changes no file that the program writes.
  ask_git(changes status --porcelain -- app core assets third_party CMakeLists.txt)
endif()
if(full)
  string(SUBSTRING ${full} 0 10 digits)  # a fixed number: git's own grows with the history
  if(changes STREQUAL "")
    set(CLEAN_COMMIT ${digits})
    set(VERSION_WITH_COMMIT "${VERSION} (${digits})")
  else()
    set(VERSION_WITH_COMMIT "${VERSION} (${digits}+changes)")
  endif()
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUTPUT} @ONLY)  # does not touch an unchanged file
