#pragma once
// Networks whose algorithm the experiment knows and can cover, so that somebody guesses it beside its judges.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/lab/snapshot.h"

namespace emergence {

/// What one judge says of one network.
struct JudgeVerdict {
    /// Index into Riddles::answers.
    size_t answer = 0;
    bool right = false;
    /// "TD"; a judge that knows TD alone says "not TD".
    std::string text;
    /// How sure it is: the share of the networks of which it is less sure.
    double sure = 0;
};

struct Riddle {
    /// The seed that made it, and its number there: together with Riddles::origin they name a network for good.
    uint64_t seed = 0;
    int64_t number = 0;
    /// The right answer, an index into Riddles::answers.
    size_t truth = 0;
    /// What it is, "TD(α), step size 0.5", and how it is disguised, "noise"; "" if it is not.
    std::string made_as, disguise;
    /// In the order of Riddles::judges.
    std::vector<JudgeVerdict> verdicts;

    /// "network 14 of seed 3", and "seed-3-network-14" for files.
    std::string name() const;
    std::string file_name() const;
};

struct GuessedAnswer {
    std::string label;  // "TD"
    std::string help;   // what such a network computes, in a sentence
};

struct RiddleJudge {
    std::string name;   // of columns: "map"
    std::string label;  // "map"
    std::string help;
    /// The judge gives a name if it is as sure as this, on the scale of JudgeVerdict::sure.
    double threshold = 0;
    /// The snapshot's matrix of truths and its answers.
    std::string matrix;
};

/// One network, made again.
struct RiddleNetwork {
    /// Its matrices, without its label, and its weights.
    Snapshot shown;
    /// A preset that looks inside it, and the settings beside the file with its weights.
    std::string preset;
    std::vector<std::pair<std::string, FieldValue>> settings;
};

/// The networks of a moment of a run.
struct Riddles {
    /// The settings that make the networks, in words. Two runs with the same one have the same networks.
    std::string origin;
    /// Orders the rounds.
    uint64_t seed = 0;
    /// The step of the run from which on each answer has a network.
    int64_t complete_at = 0;
    std::vector<GuessedAnswer> answers;
    std::vector<RiddleJudge> judges;
    std::vector<Riddle> networks;
    /// Makes networks[i] again. Takes up to seconds; safe on any thread.
    std::function<RiddleNetwork(size_t i)> network;
};

/// The networks in one cell of a matrix of truths (rows) and answers (columns), by the name of the matrix; the others
/// of the same judge, such as shares of the answers, too. Empty if no judge has this matrix.
std::vector<size_t> networks_in_cell(const Riddles& riddles, const std::string& matrix, size_t truth, size_t answer);

}  // namespace emergence
