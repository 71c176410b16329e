#include "core/lessons/lesson.h"

#include <fmt/format.h>

#include <cmath>
#include <tuple>

#include "core/base/error.h"
#include "core/base/ranges.h"
#include "core/base/text.h"

namespace emergence {
namespace {

// The step's prediction, if it is of this kind; otherwise null.
template <class Kind>
const Kind* predicted(const LessonStep& step) {
    return step.predict ? std::get_if<Kind>(&*step.predict) : nullptr;
}

Sketch known_points(const std::vector<double>& x, const std::vector<double>& y) {
    Sketch points;
    for (size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        if (std::isfinite(y[i])) points.emplace_back(x[i], y[i]);
    return points;
}

}  // namespace

std::optional<double> height_at(const Sketch& sketch, double x) {
    const auto after = std::lower_bound(sketch.begin(), sketch.end(), x,
                                        [](const auto& point, double at) { return point.first < at; });
    if (after == sketch.end()) return std::nullopt;
    if (after->first == x) return after->second;
    if (after == sketch.begin()) return std::nullopt;
    const auto& [left, low] = *(after - 1);
    return low + (after->second - low) * (x - left) / (after->first - left);
}

Staging lesson_staging(const Staging& home, const LessonStep& step, const std::vector<std::string>& covered) {
    Staging staging = home;
    if (!step.stage.empty()) staging.stage = step.stage;
    if (!step.stage.empty() || !step.wings.empty()) staging.wings = step.wings;
    for (const std::string& id : covered)
        for (auto* list : {&staging.stage, &staging.wings}) std::erase(*list, id);
    // Without any picture the matrices would take the stage.
    if (staging.stage.empty() && !step.stage.empty() && !staging.wings.empty()) {
        staging.stage = {staging.wings.front()};
        staging.wings.erase(staging.wings.begin());
    }
    return staging;
}

LessonPlayer::LessonPlayer(Lesson lesson, LessonHost& host, size_t first)
    : lesson_(std::move(lesson)), host_(host), states_(lesson_.steps.size()) {
    check(!lesson_.steps.empty(), "a lesson has steps");
    index_ = std::min(first, size() - 1);
    enter(index_, true);
}

// `afresh`: the run is opened again, with all that the steps up to this one have asked for.
void LessonPlayer::enter(size_t index, bool afresh) {
    const size_t from = index_;
    index_ = index;
    phase_ = Phase::opening;
    now_.reset();
    other_.reset();
    const auto opens = [this](size_t i) { return !lesson_.steps[i].opens.empty(); };
    if (!afresh && !opens(index)) {
        host_.train(false);  // a run that starts again waits for the prediction
        host_.change(step().settings);
    } else {
        size_t first = index;
        while (first > 0 && !opens(first)) --first;
        std::vector<SettingsFile::Entry> settings;
        for (size_t i = first; i <= index; ++i) {
            const LessonStep& one = lesson_.steps[i];
            settings.insert(settings.end(), one.settings.begin(), one.settings.end());
            if (i < index) settings.insert(settings.end(), one.does.begin(), one.does.end());
        }
        host_.open(lesson_.steps[first].opens, settings);
        // These belong to the run that was there before.
        state().before.reset();
        state().revealed = false;
    }
    if (from == index || step().compare || lesson_.steps[from].compare) host_.compare(step().compare);
    arrange();
}

void LessonPlayer::next() {
    if (at_last()) return;
    states_[index_ + 1] = {};
    enter(index_ + 1, false);
}

void LessonPlayer::back() {
    if (index_ > 0) enter(index_ - 1, true);
}

// Also covers what the next step will ask about, if that continues this run.
std::vector<std::string> LessonPlayer::covered() const {
    std::vector<std::string> covered;
    const auto cover = [&covered](const LessonStep& one, bool pictures, bool sketched) {
        if (pictures) covered.insert(covered.end(), one.covered.begin(), one.covered.end());
        if (const auto* sketch = predicted<SketchPrediction>(one); sketched && sketch != nullptr)
            covered.push_back(sketch->plot);
    };
    cover(step(), step().predict && !state().answer, !state().revealed);
    if (!at_last() && lesson_.steps[index_ + 1].opens.empty()) cover(lesson_.steps[index_ + 1], true, true);
    return covered;
}

void LessonPlayer::arrange() {
    const bool predicting = step().predict && !state().answer;
    host_.show(step(), predicting, covered());
    // Training stops at the awaited step, so that the answer stays true and the next one is not seen.
    const bool over = phase_ == Phase::revealed && awaited_step();
    host_.train(phase_ != Phase::opening && !predicting && !step().paused && !over);
}

void LessonPlayer::turn() {
    std::optional<LessonFacts> facts = host_.facts();
    if (!facts) return;
    now_ = std::move(facts);
    other_ = host_.other_facts();
    if (phase_ == Phase::opening) {
        if (!state().before) state().before = now_;
        phase_ = step().predict && !state().answer ? Phase::predicting : Phase::doing;
        arrange();
    }
    if (phase_ != Phase::doing) return;
    if (!state().revealed && step().until && !holds(*step().until, view())) return;
    phase_ = Phase::revealed;
    state().locked = true;
    if (!std::exchange(state().revealed, true)) arrange();
}

void LessonPlayer::answer(Answer answer) {
    if (phase_ != Phase::predicting) return;
    state().answer = std::move(answer);
    if (!state().first) {
        state().first = state().answer;
        state().before = now_;
    }
    phase_ = Phase::doing;
    arrange();
    turn();
}

void LessonPlayer::answer_again() {
    if (!can_answer_again()) return;
    state().answer.reset();
    phase_ = Phase::predicting;
    arrange();
}

void LessonPlayer::do_it() {
    if (can_do_it()) host_.change(step().does);
}

LessonView LessonPlayer::view() const {
    const auto known = [](const std::optional<LessonFacts>& facts) { return facts ? &*facts : nullptr; };
    return {known(now_), known(state().before), known(other_), state().answer.has_value()};
}

std::optional<int64_t> LessonPlayer::awaited_step() const {
    if (!step().until) return std::nullopt;
    for (const QuantityClause& clause : step().until->clauses)
        if (clause.compared.kind == QuantityKind::at_least && clause.compared.operands[0].kind == QuantityKind::step &&
            clause.compared.operands[1].kind == QuantityKind::number)
            return static_cast<int64_t>(clause.compared.operands[1].number);
    return std::nullopt;
}

std::string LessonPlayer::text(bool on_paper) const {
    return filled_text(on_paper && !step().paper.empty() ? step().paper : step().text, view());
}

std::string LessonPlayer::reveal() const { return phase_ == Phase::revealed ? filled_text(step().reveal, view()) : ""; }

std::optional<bool> LessonPlayer::right() const {
    if (phase_ != Phase::revealed || !state().answer) return std::nullopt;
    if (const auto* choice = predicted<ChoicePrediction>(step())) return *state().answer == Answer(choice->answer);
    if (const auto* block = predicted<BlockPrediction>(step()))
        return *state().answer == Answer(BlockAnswer{block->rows, block->columns});
    return std::nullopt;
}

// nullopt until the answer is there.
std::optional<Series> LessonPlayer::sketched_series() const {
    const auto* sketch = predicted<SketchPrediction>(step());
    if (phase_ != Phase::revealed || sketch == nullptr) return std::nullopt;
    const PlotSpec plot = host_.plot(sketch->plot).value_or(PlotSpec{});
    const Series* series = find_named(plot.series, sketch->curve);
    return series == nullptr ? std::nullopt : std::optional(*series);
}

std::string LessonPlayer::sketched_axis() const {
    const auto* sketch = predicted<SketchPrediction>(step());
    const std::optional<PlotSpec> plot = sketch != nullptr ? host_.plot(sketch->plot) : std::nullopt;
    if (!plot) return "";
    // A metric's plot is over the run's steps.
    return plot->x.label.empty() && now_ ? now_->snapshot->step_unit : plot->x.label;
}

Sketch LessonPlayer::live_curve() const {
    const std::optional<Series> series = sketched_series();
    std::vector<double> means;
    for (size_t i = 0; series && i < series->x.size(); ++i) means.push_back(summarise(series->rows, i).mean);
    return series ? known_points(series->x, means) : Sketch();
}

std::vector<Sketch> LessonPlayer::live_curves() const {
    std::vector<Sketch> curves;
    if (const std::optional<Series> series = sketched_series())
        for (const std::vector<double>& row : series->rows) curves.push_back(known_points(series->x, row));
    return curves;
}

std::optional<double> LessonPlayer::sketch_error() const {
    const Sketch live = live_curve();
    if (live.empty() || !state().answer) return std::nullopt;
    const auto& axes = std::get<SketchPrediction>(*step().predict);
    double sum = 0.0;
    int count = 0;
    for (const auto& [x, y] : live)
        if (const auto drawn = height_at(std::get<Sketch>(*state().answer), x)) {
            sum += std::abs(*drawn - std::clamp(y, axes.bottom, axes.top));
            ++count;
        }
    if (count == 0) return std::nullopt;
    return sum / count / (axes.top - axes.bottom);
}

std::shared_ptr<const Snapshot> LessonPlayer::before() const {
    const bool waits = phase_ == Phase::opening || phase_ == Phase::predicting;
    return waits || !state().before ? nullptr : state().before->snapshot;
}

std::vector<std::string> LessonPlayer::false_statements() const {
    const auto is_false = [this](const Condition& condition) { return !holds(condition, view()); };
    return mapped(filtered(step().holds, is_false), &Condition::text);
}

namespace {

std::vector<std::string_view> answer_parts(std::string_view text, char between) {
    std::vector<std::string_view> parts;
    while (true) {
        const size_t end = text.find(between);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

std::optional<double> number_of(std::string_view text) {
    const auto value = parsed<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

// Each throws InputError with what an answer looks like.

Answer answer_of(std::string_view text, const ChoicePrediction& choice) {
    const auto count = static_cast<double>(choice.choices.size());
    if (const auto number = number_of(text);
        number && *number >= 1 && *number <= count && *number == std::floor(*number))
        return static_cast<int>(*number) - 1;
    std::vector<int> found;
    for (size_t i = 0; i < choice.choices.size(); ++i) {
        const std::string words = small_letters(choice.choices[i]);
        if (words == small_letters(text)) return static_cast<int>(i);
        if (words.starts_with(small_letters(text))) found.push_back(static_cast<int>(i));
    }
    if (found.size() == 1) return found.front();
    throw InputError("'{}' is not an answer. Write 1 to {}, or the answer's words.", text, choice.choices.size());
}

Answer answer_of(std::string_view text, const BlockPrediction&) {
    const auto parts = answer_parts(text, ',');
    if (parts.size() != 2 || parts[0].empty() || parts[1].empty())
        throw InputError("'{}' is not a block. Write its rows and columns, e.g. R, R.", text);
    return BlockAnswer{std::string(parts[0]), std::string(parts[1])};
}

Answer answer_of(std::string_view text, const SketchPrediction& axes) {
    const auto wrong = [&] {
        const bool foreign = text.find(';') != std::string_view::npos;
        return InputError("'{}' is not a curve. Write points x y, e.g. {:g} {:g}, {:g} {:g}.{}", text, axes.left,
                          axes.bottom, axes.right, axes.top,
                          foreign ? " Separate points by ',' and write 0.5, not 0,5." : "");
    };
    const auto parts = answer_parts(text, ',');
    Sketch points;
    for (size_t i = 0; i < parts.size(); ++i) {
        const size_t blank = parts[i].find_first_of(" \t");
        const bool alone = blank == std::string_view::npos;
        const double share = static_cast<double>(i) / static_cast<double>(parts.size() - 1);
        const auto x = alone ? axes.left + share * (axes.right - axes.left) : number_of(parts[i].substr(0, blank));
        const auto y = number_of(alone ? parts[i] : trimmed(parts[i].substr(blank)));
        if (!x || !y || parts.size() < 2) throw wrong();
        points.emplace_back(*x, *y);
    }
    std::sort(points.begin(), points.end());
    return points;
}

}  // namespace

ClassAnswers read_class(std::string_view text, const Prediction& prediction, const std::vector<std::string>& files) {
    ClassAnswers answers;
    size_t number = 0;
    const std::string plain = plain_text(text, "the answers");
    for (const std::string_view line : answer_parts(plain, '\n')) {
        ++number;
        if (line.empty()) continue;
        if (answers.given.size() + answers.unread.size() == kMostClassAnswers)
            throw InputError("line {}: more than {} answers. Count them in parts", number, kMostClassAnswers);
        const size_t colon = line.find_first_of(":\t");
        const bool bare = line.find_first_not_of("0123456789") == std::string_view::npos;  // of nobody in particular
        const std::string name = bare ? fmt::format("line {}", number) : std::string(trimmed(line.substr(0, colon)));
        try {
            if (!bare && (colon == std::string_view::npos || name.empty()))
                throw InputError(line.find(';') == std::string_view::npos
                                     ? "write an answer as name: answer."
                                     : "write an answer as name: answer, with ':' or a tab, not ';'.");
            const std::string_view given = bare ? line : trimmed(line.substr(colon + 1));
            ClassAnswer one{name, std::visit([&](const auto& kind) { return answer_of(given, kind); }, prediction)};
            if (ClassAnswer* same = find_named(answers.given, name))
                *same = std::move(one);
            else
                answers.given.push_back(std::move(one));
        } catch (const InputError& error) {
            const std::string place = number <= files.size() ? files[number - 1] : fmt::format("line {}", number);
            answers.unread.push_back(fmt::format("{}: {}", place, error.what()));
        }
    }
    return answers;
}

std::vector<ClassCount> class_counts(const ClassAnswers& answers, const Prediction& prediction) {
    std::vector<ClassCount> counts;
    if (const auto* choice = std::get_if<ChoicePrediction>(&prediction)) {
        for (size_t i = 0; i < choice->choices.size(); ++i)
            counts.push_back({choice->choices[i], 0, static_cast<int>(i) == choice->answer});
        for (const ClassAnswer& one : answers.given) ++counts[std::get<int>(one.answer)].count;
    } else if (const auto* right = std::get_if<BlockPrediction>(&prediction)) {
        std::vector<std::string> blocks;
        const auto name_of = [](const auto& block) { return block.rows + ", " + block.columns; };
        for (const ClassAnswer& one : answers.given) blocks.push_back(name_of(std::get<BlockAnswer>(one.answer)));
        for (const auto& [block, count] : tally(blocks)) counts.push_back({block, count, block == name_of(*right)});
    }
    return counts;
}

std::vector<ClassHeights> class_heights(const ClassAnswers& answers, const SketchPrediction& axes, int places) {
    std::vector<ClassHeights> heights;
    for (int i = 0; i < places; ++i) {
        ClassHeights at;
        at.x = axes.left + (axes.right - axes.left) * i / std::max(1, places - 1);
        std::vector<double> drawn;
        for (const ClassAnswer& one : answers.given)
            if (const auto height = height_at(std::get<Sketch>(one.answer), at.x)) drawn.push_back(*height);
        const Summary summary = summarise(drawn, true);
        at.count = summary.count;
        at.median = summary.median;
        if (!drawn.empty())
            std::tie(at.lowest, at.highest) = std::pair(drawn.front(), drawn.back());  // they are sorted
        heights.push_back(at);
    }
    return heights;
}

}  // namespace emergence
