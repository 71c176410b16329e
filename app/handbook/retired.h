#pragma once
// Retired keys and commands, for one release: typing one shows what does its work now.

#include <string_view>

namespace emergence::handbook {

struct Retired {
    std::string_view typed;  // a key as "Ctrl + B", or a command
    std::string_view said;
};

inline constexpr Retired kRetired[] = {
    {"G", "The guessing game is gone. 'emergence-cli verify bench' measures how far each judge can be trusted."},
    {"C", "Cues are gone. Ctrl + L appends what the window shows to a lesson; write your sentence into its file."},
    {"Shift + C", "Lectures are gone. A lesson (L) shows moments and sentences step by step."},
    {"Ctrl + B",
     "Bookmarks are gone. Ctrl + O lists the runs: give one a name and a star. Runs of bookmarks are there."},
    {"networks",
     "'networks' is gone. 'run bandit-train --preset bandit-cosine --seeds 3' trains such a network; of the seeds in its "
     "weights.npz the best one plays."},
    {"import",
     "'import' is gone. A folder of the published code opens with its last weights; --set weights=data.npz trains on from "
     "them."},
    {"export",
     "'export' is gone. In Python run = emergence.load(DIR) has run.metrics.to_tensorboard, run.metrics.to_json_lines and "
     "run.to_torch; metrics.csv and weights.npz have all numbers."},
    {"value", "'value' is gone. emergence.forward(P, Q, prompts) in Python gives the values."},
    {"claims",
     "'claims' is gone. 'verify --list' lists them; 'verify --check FILE' checks a file, 'verify --check FILE DIR' "
     "measures its claims on runs."},
    {"reproduce",
     "'reproduce' is gone. 'figure all' or 'figure PAPER' draws the figures and checks their claims; 'verify' measures the "
     "theorems."},
    {"structure", "'structure' is gone. 'read DIR --quantity Q' gives norms, traces and cells of the matrices."},
};

/// What is said of it; "" if it did not go.
constexpr std::string_view said_of_retired(std::string_view typed) {
    for (const Retired& one : kRetired)
        if (one.typed == typed) return one.said;
    return "";
}

}  // namespace emergence::handbook
