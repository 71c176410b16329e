#pragma once
// The parts of the game's sheet: a network's pictures, a judge's bar, tables of truths and answers.

#include <imgui.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/session/session.h"
#include "app/gui/widgets/heatmap.h"
#include "core/lab/guessing/game.h"

namespace emergence {

/// The matrices of a network, and what it does to a prompt below them.
class NetworkPictures {
  public:
    void draw(const Ui& ui, const std::shared_ptr<const RiddleNetwork>& network, const ColorMaps& maps, ImVec2 size);

  private:
    std::shared_ptr<const RiddleNetwork> built_from_;
    ColorMaps maps_;
    std::vector<HeatmapSpec> specs_;
    std::vector<HeatmapState> states_;
};

/// How sure a judge is, with a tick at its threshold; once `open`, what it says. Logged as "verdict NAME".
void draw_verdict(const Ui& ui, const RiddleJudge& judge, const JudgeVerdict& verdict, bool open, bool revealed);

/// One table of truths and answers for the user and for each judge.
class AnswerTables {
  public:
    /// A cell that was clicked; `judge`: none for the user's own table.
    struct Cell {
        std::optional<size_t> judge;
        size_t truth = 0, answer = 0;
    };
    std::optional<Cell> draw(const Ui& ui, const Session::Moment& moment, const GuessingGame& game,
                             const ColorMaps& maps, ImVec2 size);

  private:
    void build(const Snapshot& snapshot, const GuessingGame& game);

    Session::Moment built_from_;
    size_t guesses_ = 0;
    ColorMaps maps_;
    std::vector<HeatmapSpec> specs_;
    std::vector<HeatmapState> states_;
};

}  // namespace emergence
