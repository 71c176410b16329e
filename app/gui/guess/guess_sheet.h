#pragma once
// Guess which algorithm a network runs: its label is covered, judges have said theirs, six answers have keys.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/commands/sheet.h"
#include "app/gui/guess/guess_parts.h"
#include "app/gui/guess/network_list.h"
#include "app/gui/guess/network_maker.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/key_press.h"
#include "app/gui/shell/preferences.h"
#include "app/gui/shell/theme.h"
#include "core/lab/guessing/game.h"

namespace emergence {

class GuessSheet : public Sheet {
  public:
    GuessSheet(Jobs& jobs, const Preferences& preferences)
        : Sheet("guess", Keys::own), preferences_(preferences), maker_(jobs), list_([this](size_t network) {
              opening_ = {list_.riddles(), network};
          }) {}

    NetworkList& list() { return list_; }
    const NetworkList& list() const { return list_; }
    const GuessingGame& game() const { return game_; }

    /// A key while the sheet has the keys: the number of an answer, Enter or Space for the next network, V for the
    /// verdicts. True if it was one of these.
    bool press(const KeyPress& key);
    /// A cell of a matrix in the window was clicked: lists its networks. False if it is no judge's.
    bool click_cell(const std::string& matrix, int row, int column);

    /// The run's networks, whatever moment is shown. Answers are logged as "guess 1".
    void draw(const Context& context) override;

  private:
    void follow(const Session& session);
    void open_once_made(Asks& asks);
    void draw_waiting(const Ui& ui, const Session& session);
    void draw_round(const Context& context);
    void draw_answers(const Ui& ui, const Riddle& riddle);
    void draw_reveal(const Ui& ui, const Guess& guess);
    void draw_judges(const Ui& ui, const Riddle& riddle);
    void draw_buttons(const Context& context, size_t network);
    void list_cell(const AnswerTables::Cell& cell);
    void list(std::vector<size_t> networks, std::string title);
    std::vector<size_t> guessed_in_cell(size_t truth, size_t answer) const;

    const Preferences& preferences_;
    bool verdicts_open_ = false;  // before the guess, too
    GuessingGame game_;
    NetworkMaker maker_;
    NetworkPictures pictures_;
    AnswerTables tables_;
    NetworkList list_;
    std::optional<std::pair<std::shared_ptr<const Riddles>, size_t>> opening_;  // while it is being made
};

}  // namespace emergence
