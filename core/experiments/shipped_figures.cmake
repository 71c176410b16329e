# The figures that ship as data: those files of assets/figures that have a page become a table in a source file.
file(GLOB figure_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assets/figures/*.toml)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${figure_files})
set(shipped_figures "")
foreach(file ${figure_files})
  file(READ ${file} text)
  string(FIND "${text}" "\n[page]" page)
  if(page GREATER 0)
    # Claims are read when the program runs.
    string(FIND "${text}" "\n[claims." claims)
    string(SUBSTRING "${text}" 0 ${claims} text)
    get_filename_component(name ${file} NAME_WE)
    string(APPEND shipped_figures "    {\"${name}\", R\"figure(${text})figure\"},\n")
  endif()
endforeach()
set(shipped_source ${CMAKE_CURRENT_BINARY_DIR}/shipped_figures.cpp)
file(GENERATE OUTPUT ${shipped_source} CONTENT
"#include \"core/experiments/figure_file.h\"

namespace emergence {

std::span<const ShippedFigure> shipped_figures() {
    static constexpr ShippedFigure kFigures[] = {
${shipped_figures}    };
    return kFigures;
}

}  // namespace emergence
")
target_sources(emergence_core PRIVATE ${shipped_source})
set_source_files_properties(${shipped_source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
