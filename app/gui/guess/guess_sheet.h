#pragma once
// Guess which algorithm a network runs: its label is covered, judges have said theirs, six answers have keys.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/gui/guess/guess_parts.h"
#include "app/gui/guess/network_list.h"
#include "app/gui/guess/network_maker.h"
#include "app/gui/session/session.h"
#include "app/gui/shell/key_press.h"
#include "app/gui/shell/theme.h"
#include "core/lab/guessing/game.h"

namespace emergence {

class GuessSheet {
  public:
    explicit GuessSheet(Jobs& jobs) : maker_(jobs) {}

    void open() { open_ = raise_ = true; }
    void close() { open_ = false; }
    bool is_open() const { return open_; }
    NetworkList& list() { return list_; }
    const NetworkList& list() const { return list_; }
    const GuessingGame& game() const { return game_; }

    /// Once a frame: the networks of the run, whatever moment is shown.
    void follow(const Session& session);
    /// A key while the sheet has the keys: the number of an answer, Enter or Space for the next network, V for the
    /// verdicts. True if it was one of these.
    bool press(const KeyPress& key);
    /// A cell of a matrix in the window was clicked: lists its networks. False if it is no judge's.
    bool click_cell(const std::string& matrix, int row, int column);

    /// Draws the sheet and the list. Logged as "panel guess"; answers as "guess 1".
    void draw(const Ui& ui, const Session& session, const ColorMaps& maps);

    /// A network that is to be opened, with its name for files and the one for people; once.
    struct Opened {
        std::shared_ptr<const RiddleNetwork> network;
        Riddle riddle;
    };
    std::optional<Opened> take_opened();
    /// All guesses as a file, once.
    std::optional<std::string> take_export() { return std::exchange(exported_, std::nullopt); }

  private:
    void draw_round(const Ui& ui, const Session& session, const ColorMaps& maps);
    void draw_answers(const Ui& ui, const Riddle& riddle);
    void draw_reveal(const Ui& ui, const Guess& guess);
    void draw_judges(const Ui& ui, const Riddle& riddle);
    void draw_buttons(const Ui& ui, size_t network);
    void list_cell(const AnswerTables::Cell& cell);
    void list(std::vector<size_t> networks, std::string title);
    std::vector<size_t> guessed_in_cell(size_t truth, size_t answer) const;

    bool open_ = false, raise_ = false;
    bool verdicts_open_ = false;  // before the guess, too
    GuessingGame game_;
    NetworkMaker maker_;
    NetworkPictures pictures_;
    AnswerTables tables_;
    NetworkList list_;
    std::optional<std::pair<std::shared_ptr<const Riddles>, size_t>> opening_;  // while it is being made
    std::optional<std::string> exported_;
};

}  // namespace emergence
