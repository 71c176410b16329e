# The dependencies of the build for browsers, under the names that the desktop's have. Header libraries are the
# desktop's own packages; what is compiled comes from the sources of Debian's packages. web_parts.sh collects both in
# EMERGENCE_WEB_PARTS: include/ (links to headers), imgui/, zlib/, fonts/.
set(EMERGENCE_WEB_PARTS ${CMAKE_BINARY_DIR}/parts CACHE PATH "What web_parts.sh has collected")
if(NOT EXISTS ${EMERGENCE_WEB_PARTS}/imgui/imgui.h)
  message(FATAL_ERROR "${EMERGENCE_WEB_PARTS} holds no sources: begin with sh app/web.sh")
endif()

# One choice for the whole program: threads, exceptions, and what the library of this compiler lacks (app/web/std).
# WebAssembly's own exceptions are not caught by this compiler's library for threads: JavaScript carries them.
set(EMERGENCE_WEB_EXCEPTIONS -fexceptions CACHE STRING "How exceptions are thrown")
add_library(web_target INTERFACE)
target_compile_options(web_target INTERFACE -pthread ${EMERGENCE_WEB_EXCEPTIONS})
target_include_directories(web_target SYSTEM INTERFACE ${PROJECT_SOURCE_DIR}/app/web/std ${EMERGENCE_WEB_PARTS}/include)
target_link_options(web_target INTERFACE -pthread ${EMERGENCE_WEB_EXCEPTIONS})
target_link_libraries(emergence_options INTERFACE web_target)
add_library(Threads::Threads ALIAS web_target)

# One folder of links serves all of these.
add_library(web_headers INTERFACE)
target_include_directories(web_headers SYSTEM INTERFACE ${EMERGENCE_WEB_PARTS}/include/eigen3)
target_compile_definitions(web_headers INTERFACE FMT_HEADER_ONLY=1)
foreach(name Eigen3::Eigen fmt::fmt CLI11::CLI11 nlohmann_json::nlohmann_json random123 lbfgspp)
  add_library(${name} ALIAS web_headers)
endforeach()

file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/toml.cpp CONTENT "#define TOML_IMPLEMENTATION\n#include <toml++/toml.h>\n")
add_library(web_toml STATIC ${CMAKE_CURRENT_BINARY_DIR}/toml.cpp)
target_compile_definitions(web_toml PUBLIC TOML_HEADER_ONLY=0)
target_link_libraries(web_toml PUBLIC web_target)
add_library(tomlplusplus::tomlplusplus ALIAS web_toml)

enable_language(C)
file(GLOB zlib_sources ${EMERGENCE_WEB_PARTS}/zlib/*.c)
list(FILTER zlib_sources EXCLUDE REGEX "/gz[a-z]*\\.c$")
add_library(web_zlib STATIC ${zlib_sources})
target_include_directories(web_zlib SYSTEM PUBLIC ${EMERGENCE_WEB_PARTS}/zlib)
target_compile_options(web_zlib PRIVATE -O2 -w)
set_target_properties(web_zlib PROPERTIES UNITY_BUILD OFF)
target_link_libraries(web_zlib PUBLIC web_target)
add_library(ZLIB::ZLIB ALIAS web_zlib)

set(stb_text "#define STB_IMAGE_IMPLEMENTATION\n#define STB_IMAGE_RESIZE_IMPLEMENTATION\n")
string(APPEND stb_text "#include <stb/stb_image.h>\n#include <stb/stb_image_resize.h>\n")
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/stb.cpp CONTENT "${stb_text}")
set(imgui ${EMERGENCE_WEB_PARTS}/imgui)
add_library(web_imgui STATIC ${imgui}/imgui.cpp ${imgui}/imgui_draw.cpp ${imgui}/imgui_tables.cpp
  ${imgui}/imgui_widgets.cpp ${imgui}/imgui_stdlib.cpp ${imgui}/backends/imgui_impl_opengl3.cpp
  ${CMAKE_CURRENT_BINARY_DIR}/stb.cpp)
target_include_directories(web_imgui SYSTEM PUBLIC ${imgui})
# WebGL 2 knows no offset of vertices: indices have room for all of a window's.
target_compile_definitions(web_imgui PUBLIC "ImDrawIdx=unsigned int" PRIVATE IMGUI_IMPL_OPENGL_ES3)
target_compile_options(web_imgui PRIVATE -w)
target_link_libraries(web_imgui PUBLIC web_target)
add_library(PkgConfig::IMGUI ALIAS web_imgui)
