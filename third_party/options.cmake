# Language, warnings and sanitizers for every target of the project.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# -O3 is for the lane kernels, which ask for it themselves; elsewhere it costs compile time and gains nothing. What
# describes and draws what they computed is as fast with -O1, which compiles in little more than half the time.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
if(NOT EMERGENCE_SANITIZE)
  set(EMERGENCE_DRAWING_OPTIONS -O1)
endif()
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
if(EMERGENCE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
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
    target_compile_options(emergence_options INTERFACE -fno-sanitize=null,alignment,object-size,vptr)
  endif()
  target_link_options(emergence_options INTERFACE -fsanitize=${EMERGENCE_SANITIZE})
  # Else Eigen allocates otherwise under AddressSanitizer than in the test cases, which are not instrumented.
  target_compile_definitions(emergence_options INTERFACE EIGEN_MALLOC_ALREADY_ALIGNED=1)
endif()

# With EMERGENCE_UNITY the sources of a folder are compiled a few at a time as one, which saves most of a full build.
# While working on the code leave it off: a change then recompiles one source only. CMake's own UNITY_BUILD writes
# absolute paths, so that no compiler cache could share objects between two checkouts.
function(emergence_unity target)
  if(NOT EMERGENCE_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  set(units "")
  foreach(source ${sources})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    cmake_path(GET source PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR unit "0${count_${folder}} / 8")
    math(EXPR count_${folder} "0${count_${folder}} + 1")
    set(unit ${folder}_${unit})
    get_source_file_property(options_${unit} ${PROJECT_SOURCE_DIR}/${source} COMPILE_OPTIONS)
    string(APPEND text_${unit} "#include \"${source}\"\n")
    list(APPEND units ${unit})
  endforeach()
  list(REMOVE_DUPLICATES units)
  set(files "")
  foreach(unit ${units})
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}_unity/${unit}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${text_${unit}}" @ONLY)  # is left alone where nothing changed
    if(options_${unit})
      set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options_${unit}}")
    endif()
    list(APPEND files ${file})
  endforeach()
  set_target_properties(${target} PROPERTIES SOURCES "${files}")
endfunction()
