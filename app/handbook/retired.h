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
    {"C", "Cues are gone. Ctrl + L appends the window's state to a lesson; write your sentence into its file."},
    {"Shift + C", "Lectures are gone. A lesson (L) shows moments and sentences step by step."},
    {"Ctrl + B",
     "Bookmarks are gone. Ctrl + O lists the runs, with those of your bookmarks; give a run a name and a star."},
    {"Shift + R", "N restarts with new seeds."},
    {"Ctrl + Shift + O", "Open… is in the menu of dots. Files can also be dropped on the window."},
    {"Ctrl + G", "Sweeps are in the menu of dots."},
    {"Ctrl + Y", "Ctrl + Shift + Z redoes what was undone."},
    {"Ctrl + F", "Ctrl + K finds settings, and pages of the handbook, by their words."},
    {",", "The button Settings shows or hides their column."},
    {"Ctrl + ,", "Preferences are in the menu of dots."},
    {"Ctrl + +", "The size of type is among the preferences, in the menu of dots."},
    {"Ctrl + Shift + +", "The size of type is among the preferences, in the menu of dots."},
    {"Ctrl + −", "The size of type is among the preferences, in the menu of dots."},
    {"Ctrl + 0", "The size of type is among the preferences, in the menu of dots."},
    {"Shift + ↑", "Hold ↑, or press Enter and type a value."},
    {"Shift + ↓", "Hold ↓, or press Enter and type a value."},
    {"V", "Ctrl + K finds the playing speed."},
    {"1", "Pin is in the menu of dots."},
    {"2", "Ctrl + K finds Second pin."},
    {"D", "Ctrl + K finds Minus pin."},
    {"Shift + B", "Differences are in the menu of dots."},
    {"Shift + M", "A click on a colour bar opens the menu of colours."},
    {"Shift + S", "How curves are drawn is in the menu of dots."},
    {"F12", "Screenshot is in the menu of dots."},
    {"Ctrl + Shift + S", "Screenshot is in the menu of dots."},
    {"Shift + F12", "Ctrl + K finds Film."},
    {"X", "Page down does what the step asks for."},
    {"Shift + X", "The button of the lesson's panel leaves it."},
    {"E", "At the end of a lesson its panel has the button Explore."},
    {"Ctrl + Shift + L", "Ctrl + K finds Print the lesson."},
    {"Shift + Z", "Reset layout is the round arrow below the pictures."},
    {"T", "Theme is in the menu of dots."},
    {"F3", "Ctrl + K finds Frame times."},
    {"Alt + ←", "The buttons ‹ and › above the handbook's contents go back and forward."},
    {"Alt + →", "The buttons ‹ and › above the handbook's contents go back and forward."},
    {"networks",
     "'networks' is gone. 'run bandit-train --preset bandit-cosine --seeds 3' trains such networks; the best in its "
     "weights.npz plays."},
    {"import",
     "'import' is gone. Open a folder of the published code to see its last weights; --set weights=data.npz trains "
     "from them."},
    {"value", "'value' is gone. emergence.forward(P, Q, prompts) in Python gives the values."},
    {"claims",
     "'claims' is gone. 'verify --list' lists them; 'verify --check FILE' checks a file, 'verify --check FILE DIR' "
     "measures its claims on runs."},
    {"reproduce",
     "'reproduce' is gone. 'figure all' or 'figure PAPER' draws the figures and checks their claims; 'verify' measures the "
     "theorems."},
    {"--format torch", "'--format torch' is gone. run.to_torch in Python writes such a file."},
    {"--format tensorboard", "'--format tensorboard' is gone. run.metrics.to_tensorboard in Python writes such files."},
    {"--format jsonl", "'--format jsonl' is gone. run.metrics.to_json_lines in Python writes such a file."},
    {"--format networks", "'--format networks' is gone. emergence.bench(judge).networks in Python has them."},
    {"structure", "'structure' is gone. 'read DIR --quantity Q' gives norms, traces and cells of the matrices."},
};

/// What is said of it; "" if it did not go.
constexpr std::string_view said_of_retired(std::string_view typed) {
    for (const Retired& one : kRetired)
        if (one.typed == typed) return one.said;
    return "";
}

}  // namespace emergence::handbook
