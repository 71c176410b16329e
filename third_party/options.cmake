# Language, warnings and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# One build of the library serves the programs and the Python module; programs take the same flags, and so the same
# precompiled header.
if(NOT EMSCRIPTEN)
  add_compile_options(-fPIC -fvisibility=hidden -fvisibility-inlines-hidden)
endif()
if(EMERGENCE_CCACHE)
  find_program(CCACHE_PROGRAM ccache)
  if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  endif()
endif()

add_library(emergence_options INTERFACE)
add_library(emergence::options ALIAS emergence_options)
target_include_directories(emergence_options INTERFACE ${PROJECT_SOURCE_DIR})
# Contraction is off: a fused multiply-add is written where it is wanted, so that every build gives the same bits.
target_compile_options(emergence_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off
  -ffile-prefix-map=${PROJECT_SOURCE_DIR}/=./  # no program names the folder that it was built in
  $<$<BOOL:${EMERGENCE_WERROR}>:-Werror>)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # As GCC's -Wconversion: an int may be an index.
  target_compile_options(emergence_options INTERFACE -Wno-sign-conversion)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC collects its garbage less often: sources compile some 5 % faster and take up to 260 MB more.
  target_compile_options(emergence_options INTERFACE --param=ggc-min-expand=300)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
  # It takes what a function returns for a part of any temporary among its arguments, also of a name that is looked up.
  target_compile_options(emergence_options INTERFACE -Wno-dangling-reference)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With more of a program before its eyes GCC takes std::variant for uninitialised; compiled apart the warning stays.
  target_compile_options(emergence_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(EMERGENCE_SANITIZE)
  # GCC takes instrumented code for uninitialised reads; the Release build keeps that warning.
  target_compile_options(emergence_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    -fsanitize=${EMERGENCE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all -g1)
  if(EMERGENCE_SANITIZE MATCHES "address" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Poisoning every temporary of Eigen's at the end of its scope takes two fifths of the whole compile time.
    target_compile_options(emergence_options INTERFACE -fno-sanitize-address-use-after-scope)
  endif()
  if(EMERGENCE_SANITIZE MATCHES "undefined")
    # Checks of every pointer double the compile time and find what AddressSanitizer finds as well.
    target_compile_options(emergence_options INTERFACE
      -fno-sanitize=null,alignment,object-size,vptr,pointer-overflow)
  endif()
  target_link_options(emergence_options INTERFACE -fsanitize=${EMERGENCE_SANITIZE})
endif()
