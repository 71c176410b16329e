# Language, warnings and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_program(EMERGENCE_CCACHE ccache)
if(EMERGENCE_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${EMERGENCE_CCACHE})
endif()

add_library(emergence_options INTERFACE)
add_library(emergence::options ALIAS emergence_options)
target_include_directories(emergence_options INTERFACE ${PROJECT_SOURCE_DIR})
# Contraction is off: where a fused multiply-add is wanted it is written, so that every build gives the same bits.
target_compile_options(emergence_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off
  $<$<BOOL:${EMERGENCE_WERROR}>:-Werror>)
target_compile_definitions(emergence_options INTERFACE EMERGENCE_VERSION="${PROJECT_VERSION}")
if(EMERGENCE_SANITIZE)
  # GCC takes instrumented code for uninitialised reads; the Release build keeps that warning.
  target_compile_options(emergence_options INTERFACE -Wno-maybe-uninitialized
    -fsanitize=${EMERGENCE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  if(EMERGENCE_SANITIZE MATCHES "undefined")
    # Checks of every pointer double the compile time and find what AddressSanitizer finds as well.
    target_compile_options(emergence_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  target_link_options(emergence_options INTERFACE -fsanitize=${EMERGENCE_SANITIZE})
endif()
