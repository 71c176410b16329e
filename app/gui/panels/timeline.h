#pragma once
// The run's time as a strip, from its start to where it stops: drag it to look at the past, play it, open run B.

#include <cstdint>
#include <string>
#include <vector>

#include "app/gui/commands/asks.h"
#include "app/gui/shell/layout.h"

namespace emergence {

/// The height that the strip needs, in pixels: one row, two while two runs are compared.
float timeline_height(const Ui& ui, const Session& session);
/// `emergence`: marks when seeds emerged.
void draw_timeline(const Context& context, const Box& box, bool emergence = true);

/// The track alone, for a presentation.
void draw_time_track(const Context& context, ImVec2 at, ImVec2 size, bool emergence);

/// A stretch of a run: "before", "pattern forms" (a first network looks like its algorithm), "values follow" (a first
/// one computes it), in the order in which they began; none before the second has begun.
struct RunPhase {
    int64_t from = 0;  // its first step
    std::string name, words;
};
std::vector<RunPhase> phases_of(const Session& session);
/// Shows the start of the next phase, or of the one before; past the last one the live moment.
void step_through_phases(Session& session, int way);

/// "427 of 4000 MRPs", or "past: 300 MRPs".
std::string moment_text(const Session& session);

// Runs A and B side by side: in what they differ, in which colours they are named.

/// A line that names the difference and changes it. Only while there is a run B.
float compare_bar_height(const Ui& ui);
void draw_compare_bar(const Context& context, const Box& box);

/// "layers L 3" of A, or of B.
std::string side_text(const Session& session, bool of_b);
/// The colour of each side's name.
ImU32 side_color(const Ui& ui, bool of_b);

}  // namespace emergence
