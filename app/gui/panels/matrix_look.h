#pragma once
// How the matrices panel shows its matrices: what its toolbar sets.

#include <string>

#include "app/gui/shell/theme.h"
#include "core/lab/snapshot.h"
#include "core/pictures/pen.h"

namespace emergence {

struct MatrixLook {
    MatrixView view;
    ColorMaps maps;
    bool link_limits = true;  // all matrices' colours end at the same number
    bool link_zoom = true;    // all matrices of equal shape show the same part
    bool every_seed = false;  // small multiples instead of one seed or a mean
    bool operator==(const MatrixLook&) const = default;
};

/// Whether any of these matrices can be looked at so: some models' may not be scaled, and of some theory
/// names none.
bool mode_applies(const Snapshot& snapshot, MatrixView::Mode mode);
/// `wished` where it applies, else what is shown in its place.
MatrixView::Mode mode_in_force(const Snapshot& snapshot, MatrixView::Mode wished);

/// "P0" as P₀.
std::string with_subscript(const std::string& name);
/// What its picture is called: its title, or its name with a subscript.
std::string picture_name(const NamedMatrix& matrix);
/// The chosen colour map for its kind of values.
const char* map_name(const HeatmapSpec& spec, const MatrixLook& look);
/// The note opens with the matrix's name as its heading spells it.
void spell_name_in_note(HeatmapSpec& spec, const std::string& name);

/// Mode, seeds, small multiples.
void draw_matrix_toolbar(const Ui& ui, const Snapshot& snapshot, MatrixLook& look);

/// Rule and numbers of the colours' limits, `shown` being the present one. Logged as "limits automatic",
/// "limits percentile", "limits manual", "limits value". True where they were changed.
bool draw_limits_editor(const Ui& ui, ColorLimits& limits, double shown);
/// Links, magnitudes and colour maps.
void draw_matrix_look(const Ui& ui, MatrixLook& look);

}  // namespace emergence
