#include "app/gui/guess/guess_sheet.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/buttons.h"
#include "app/gui/widgets/sheet_window.h"
#include "app/gui/widgets/text.h"

namespace emergence {
namespace {

constexpr float kGuessWidth = 1560.0F, kGuessHeight = 960.0F;
// GLFW's codes.
constexpr int kSpaceKey = ' ', kEnterKey = 257, kFirstAnswerKey = '1', kVerdictsKey = 'V';

}  // namespace

void GuessSheet::follow(const Session& session) {
    const Session::Moment& moment = session.live_snapshot();
    game_.follow(moment ? moment->riddles : nullptr);
    if (!game_.riddles()) close();
}

bool GuessSheet::press(const KeyPress& key) {
    if (key.modifiers != 0 || key.typing || key.repeated || list_.is_open() || !game_.riddles()) return false;
    const int code = without_keypad(key.key), answer = code - kFirstAnswerKey;
    if (code == kSpaceKey || code == kEnterKey)
        game_.next();
    else if (code == kVerdictsKey)
        verdicts_open_ = !verdicts_open_;
    else if (answer >= 0 && answer < static_cast<int>(game_.riddles()->answers.size()))
        game_.guess(static_cast<size_t>(answer));
    else
        return false;
    return true;
}

void GuessSheet::list(std::vector<size_t> networks, std::string title) {
    if (networks.empty()) return;
    const size_t all = networks.size();
    std::erase_if(networks, [&](size_t network) { return game_.is_covered(network); });
    const size_t covered = all - networks.size();
    list_.open_with(game_.riddles(), std::move(networks), std::move(title), covered);
}

bool GuessSheet::click_cell(const std::string& matrix, int row, int column) {
    if (!game_.riddles()) return false;
    const Riddles& riddles = *game_.riddles();
    const bool judged = std::any_of(riddles.judges.begin(), riddles.judges.end(),
                                    [&](const RiddleJudge& judge) { return matrix.ends_with("_" + judge.name); });
    if (!judged) return false;
    const auto truth = static_cast<size_t>(row), answer = static_cast<size_t>(column);
    list(networks_in_cell(riddles, matrix, truth, answer),
         fmt::format("truth: {}; verdict: {}", riddles.answers[truth].label, riddles.answers[answer].label));
    return true;
}

std::vector<size_t> GuessSheet::guessed_in_cell(size_t truth, size_t answer) const {
    std::vector<size_t> found;
    const Riddles& riddles = *game_.riddles();
    for (size_t i = 0; i < riddles.networks.size(); ++i)
        for (const Guess& guess : game_.guesses()) {
            const Riddle& one = riddles.networks[i];
            const bool same =
                guess.origin == riddles.origin && guess.riddle.seed == one.seed && guess.riddle.number == one.number;
            if (same && guess.riddle.truth == truth && guess.answer == answer) {
                found.push_back(i);
                break;
            }
        }
    return found;
}

void GuessSheet::list_cell(const AnswerTables::Cell& cell) {
    const Riddles& riddles = *game_.riddles();
    if (cell.judge) {
        click_cell(riddles.judges[*cell.judge].matrix, static_cast<int>(cell.truth), static_cast<int>(cell.answer));
        return;
    }
    list(guessed_in_cell(cell.truth, cell.answer),
         fmt::format("truth: {}; you: {}", riddles.answers[cell.truth].label, riddles.answers[cell.answer].label));
}

void GuessSheet::open_once_made(Asks& asks) {
    if (!opening_) return;
    const auto [riddles, index] = *opening_;
    std::shared_ptr<const RiddleNetwork> network = maker_.find(riddles, index);
    if (!network) return;
    asks(ask::LookInside{std::move(network), riddles->networks[index]});
    opening_.reset();
    close();
    list_.close();
}

void GuessSheet::draw(const Context& context) {
    const auto& [ui, session, asks] = context;
    follow(session);
    open_once_made(asks);
    if (!open_) return;
    const SheetWindow sheet(ui, "guess", kGuessWidth, kGuessHeight, std::exchange(raise_, false));
    const std::string where = game_.shown() ? fmt::format("network {} of {}, round {}; each answer comes equally often",
                                                          game_.place(), game_.round_size(), game_.round())
                                            : "";
    if (sheet.draw_heading(ui, "Which algorithm does this network run?", "guess", where, "G or Esc")) close();
    if (game_.shown()) return draw_round(context);
    draw_waiting(ui, session);
}

// The game is explained while the first networks are made.
void GuessSheet::draw_waiting(const Ui& ui, const Session& session) {
    if (!game_.riddles()) return;
    const Riddles& riddles = *game_.riddles();
    const float width = ImGui::GetContentRegionAvail().x, half = std::round((width - ui.px(32)) / 2);
    ImGui::Dummy({0.0F, ui.px(8)});
    ImGui::TextWrapped(
        "The bench builds networks whose algorithm it knows, disguises them, and asks its judges. The first ones set the "
        "judges' thresholds; then you guess beside them, with keys 1 to 6.");
    ImGui::Dummy({0.0F, ui.px(8)});
    const int64_t step = session.live_snapshot()->step;
    const double share = static_cast<double>(step) / static_cast<double>(std::max<int64_t>(1, riddles.complete_at));
    ImGui::PushStyleColor(ImGuiCol_PlotHistogram, ui.colors.accent);
    ImGui::ProgressBar(static_cast<float>(std::min(1.0, share)), {half, ui.px(10)}, "");
    ImGui::PopStyleColor();
    ImGui::SameLine(0.0F, ui.px(12));
    std::string said =
        fmt::format("{} of {} networks of each {}", step, riddles.complete_at, session.live_snapshot()->seed_word);
    if (!session.advancing()) said += session.at_end() ? ": Esc, then raise Stop after" : ": Esc, then Space";
    ImGui::TextDisabled("%s", said.c_str());
    ImGui::Dummy({0.0F, ui.px(16)});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginChild("guess explained", {half, 0.0F});
    heading_text(ui, "Six answers");
    for (size_t i = 0; i < riddles.answers.size(); ++i) {
        ImGui::TextWrapped("%s", fmt::format("{}   {}", i + 1, riddles.answers[i].label).c_str());
        small_text(ui, ui.colors.muted, riddles.answers[i].help);
        ImGui::Dummy({0.0F, ui.px(4)});
    }
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({at.x + width - half, at.y});
    ImGui::BeginChild("guess judges", {half, 0.0F});
    heading_text(ui, "The judges");
    for (const RiddleJudge& judge : riddles.judges) {
        ImGui::TextWrapped("%s", judge.label.c_str());
        small_text(ui, ui.colors.muted, judge.help);
        ImGui::Dummy({0.0F, ui.px(4)});
    }
    ImGui::EndChild();
}

void GuessSheet::draw_round(const Context& context) {
    const ColorMaps& maps = preferences_.maps;
    const auto& [ui, session, asks] = context;
    const size_t index = *game_.shown();
    // As it was judged when it was guessed: thresholds move while the run goes on.
    const Riddle riddle = game_.guessed() != nullptr ? game_.guessed()->riddle : game_.riddles()->networks[index];
    const std::shared_ptr<const RiddleNetwork> network = maker_.find(game_.riddles(), index);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float gap = ui.px(16), tables = std::round(0.29F * room.x), answers = std::round(0.29F * room.x),
                pictures = room.x - tables - answers - 2 * gap;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::BeginChild("guess network", {pictures, room.y});
    if (network)
        pictures_.draw(ui, network, maps, ImGui::GetContentRegionAvail());
    else
        ImGui::TextDisabled("%s", "The network is being made.");
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({at.x + pictures + gap, at.y});
    ImGui::BeginChild("guess answers", {answers, room.y});
    // A presentation's large type leaves no room for explanations.
    const ImVec2 spacing = ImGui::GetStyle().ItemSpacing;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {spacing.x, ui.presenting ? ui.px(2) : spacing.y});
    draw_answers(ui, riddle);
    if (const Guess* guess = game_.guessed()) draw_reveal(ui, Guess(*guess));
    draw_judges(ui, riddle);
    draw_buttons(context, index);
    ImGui::PopStyleVar();
    ImGui::EndChild();
    ImGui::SetCursorScreenPos({at.x + room.x - tables, at.y});
    ImGui::BeginChild("guess tables", {tables, room.y});
    if (const auto cell = tables_.draw(ui, session.live_snapshot(), game_, maps, ImGui::GetContentRegionAvail()))
        list_cell(*cell);
    ImGui::EndChild();
}

void GuessSheet::draw_answers(const Ui& ui, const Riddle& riddle) {
    const Guess* guess = game_.guessed();
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, {0.0F, 0.5F});
    for (size_t i = 0; i < game_.riddles()->answers.size(); ++i) {
        const GuessedAnswer& answer = game_.riddles()->answers[i];
        const bool truth = guess != nullptr && riddle.truth == i,
                   wrong = guess != nullptr && guess->answer == i && !truth;
        const std::string mark = truth ? "  ✓" : wrong ? "  ✗" : "";
        if (truth || wrong) ImGui::PushStyleColor(ImGuiCol_Text, truth ? ui.colors.good : ui.colors.bad);
        if (draw_button(ui, fmt::format("guess {}", i + 1).c_str(), fmt::format("{}   {}{}", i + 1, answer.label, mark),
                        {-1.0F, ui.px(ui.presenting ? 25 : 30)}, answer.help.c_str()))
            game_.guess(i);
        if (truth || wrong) ImGui::PopStyleColor();
    }
    ImGui::PopStyleVar();
    ImGui::Dummy({0.0F, ui.px(4)});
}

void GuessSheet::draw_reveal(const Ui& ui, const Guess& guess) {
    const Riddle& riddle = guess.riddle;
    const auto right = std::count_if(riddle.verdicts.begin(), riddle.verdicts.end(),
                                     [](const JudgeVerdict& verdict) { return verdict.right; });
    ImGui::PushStyleColor(ImGuiCol_Text, guess.right() ? ui.colors.good : ui.colors.bad);
    heading_text(ui, guess.right() ? "✓ Right" : "✗ Not right");
    ImGui::PopStyleColor();
    ImGui::TextWrapped("%s",
                       fmt::format("Built as {}. Disguise: {}. {} of {} judges are right.", riddle.made_as,
                                   riddle.disguise.empty() ? "none" : riddle.disguise, right, riddle.verdicts.size())
                           .c_str());
    ImGui::Dummy({0.0F, ui.px(4)});
}

void GuessSheet::draw_judges(const Ui& ui, const Riddle& riddle) {
    const Guess* guess = game_.guessed();
    heading_text(ui, "The judges");
    if (!ui.presenting)
        small_text(ui, ui.colors.muted,
                   "Bar: surer than this share of the other networks. Tick: from here on the judge gives a name.");
    const Riddles& riddles = *game_.riddles();
    for (size_t judge = 0; judge < riddles.judges.size(); ++judge)
        draw_verdict(ui, riddles.judges[judge], riddle.verdicts[judge], guess != nullptr || verdicts_open_,
                     guess != nullptr);
    if (guess == nullptr) {
        ImGui::Checkbox("verdicts before my guess  (V)", &verdicts_open_);
        log_item(ui, "guess verdicts");
    }
    ImGui::Dummy({0.0F, ui.px(4)});
}

void GuessSheet::draw_buttons(const Context& context, size_t network) {
    const Ui& ui = context.ui;
    const bool guessed = game_.guessed() != nullptr;
    const float width = ImGui::GetContentRegionAvail().x, space = ImGui::GetStyle().ItemSpacing.x,
                half = std::round((width - space) / 2);
    ImGui::BeginDisabled(!guessed);
    const bool last = game_.place() == game_.round_size();
    const std::string next = last ? "Next round" : "Next network";
    if (draw_button(ui, "guess next", ui.presenting ? next : next + "  (Enter)", {half, ui.px(32)},
                    "The next network  (Enter or Space)", guessed))
        game_.next();
    ImGui::SameLine();
    if (draw_button(ui, "guess microscope", "Microscope", {width - half - space, ui.px(32)},
                    "Opens this network in the microscope"))
        opening_ = {game_.riddles(), network};
    ImGui::EndDisabled();
    ImGui::Dummy({0.0F, ui.px(4)});
    const Fraction right = right_guesses(game_.guesses());
    heading_text(ui, right.total == 0 ? "You: no guess so far" : ("You: " + fraction_text(right)).c_str());
    if (ui.presenting) return;
    small_text(ui, ui.colors.muted,
               "Tables: rows are truths, columns answers. Yours are your guesses, the judges' all networks that test; "
               "the counts are of the networks that you guessed. A click on a cell lists its networks.");
    ImGui::BeginDisabled(game_.guesses().empty());
    if (draw_button(ui, "guess export", "Export CSV", {half, 0.0F}, "All guesses as a table, beside the judges'"))
        context.asks(ask::Write{guesses_csv(game_.guesses(), *game_.riddles()), "guesses", ".csv"});
    ImGui::SameLine();
    if (draw_button(ui, "guess over", "Start over", {width - half - space, 0.0F}, "Forgets your guesses"))
        game_.start_over();
    ImGui::EndDisabled();
}

}  // namespace emergence
