#include "app/gui/panels/matrix_look.h"

#include <algorithm>

namespace emergence {

bool mode_applies(const Snapshot& snapshot, MatrixView::Mode mode) {
    const auto& all = snapshot.matrices;
    if (mode == MatrixView::Mode::scaled)
        return std::any_of(all.begin(), all.end(), [](const NamedMatrix& one) { return one.may_scale; });
    if (mode == MatrixView::Mode::difference)
        return std::any_of(all.begin(), all.end(), [](const NamedMatrix& one) { return one.target.has_value(); });
    return true;
}

MatrixView::Mode mode_in_force(const Snapshot& snapshot, MatrixView::Mode wished) {
    for (const MatrixView::Mode mode : {wished, MatrixView::Mode::scaled})
        if (mode_applies(snapshot, mode)) return mode;
    return MatrixView::Mode::raw;
}

std::string with_subscript(const std::string& name) {
    std::string result;
    for (const char c : name) {
        if (c >= '0' && c <= '9')
            result += std::string("\xE2\x82") + static_cast<char>('\x80' + (c - '0'));  // U+2080 and following
        else
            result += c;
    }
    return result;
}

std::string picture_name(const NamedMatrix& matrix) {
    return matrix.title.empty() ? with_subscript(matrix.name) : matrix.title;
}

const char* map_name(const HeatmapSpec& spec, const MatrixLook& look) {
    return spec.magnitudes ? look.maps.sequential->name : look.maps.diverging->name;
}

void spell_name_in_note(HeatmapSpec& spec, const std::string& name) {
    if (spec.note.rfind(name + ":", 0) == 0) spec.note.replace(0, name.size(), with_subscript(name));
}

}  // namespace emergence
