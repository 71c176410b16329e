#pragma once
// The run's time as a strip, from its start to its end: drag it to look at the past, play it, open run B.

#include <cstdint>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/layout.h"

namespace emergence {

/// In pixels: one row, two while two runs are compared.
float timeline_height(const Ui& ui, const Session& session);
/// `emergence`: marks when seeds emerged.
void draw_timeline(const Context& context, const Box& box, bool emergence = true);

/// The track alone, for a presentation.
void draw_time_track(const Context& context, ImVec2 at, ImVec2 size, bool emergence);

/// A stretch of a run: "before", "pattern forms" (a first network looks like its algorithm), "values follow" (a first
/// network computes it), in the order of their beginnings. The list is empty before a network looks like it.
struct RunPhase {
    int64_t from = 0;  // its first step
    std::string name, words;
};
std::vector<RunPhase> phases_of(const Session& session);
/// Shows the start of the next phase, or of the one before; after the last phase the live moment.
void step_through_phases(Session& session, int way);

/// "427 of 4000 MRPs", or "past: 300 MRPs".
std::string moment_text(const Session& session);

/// The setting in which runs A and B differ, with its value in A or B: "layers L 3".
std::string side_text(const Session& session, bool of_b);
/// The colour of the names of A and B.
ImU32 side_color(const Ui& ui, bool of_b);

}  // namespace emergence
