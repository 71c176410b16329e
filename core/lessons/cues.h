#pragma once
// A director's track: what stands on the stage at some steps of a run, and a sentence to each. A run's folder may carry
// one, so that the run replays as a lecture.
//
//     [[cue]]
//     step = 1200
//     stage = ["Q0"]
//     wings = ["similarity"]
//     sentence = "Here bootstrapping comes in."

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace emergence {

/// The track in a run's folder.
inline constexpr const char* kCuesFile = "cues.toml";

struct Cue {
    int64_t step = 0;
    /// Pictures by their ids; empty lists: as before.
    std::vector<std::string> stage, wings;
    /// "": none.
    std::string sentence;
    bool operator==(const Cue&) const = default;
};

/// Adds the cue in the order of steps; it replaces one at the same step.
void add_cue(Cue cue, std::vector<Cue>& cues);

std::string cues_to_toml(const std::vector<Cue>& cues);
/// By ascending steps. Throws InputError, naming `source` and the line.
std::vector<Cue> parse_cues(std::string_view text, const std::string& source);
/// Those of a run's folder; none without the file. Throws InputError.
std::vector<Cue> cues_in(const std::filesystem::path& folder);

/// The time that a reader needs for a sentence.
double reading_seconds(std::string_view sentence);

}  // namespace emergence
