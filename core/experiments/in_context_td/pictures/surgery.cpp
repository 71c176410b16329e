#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "core/experiments/in_context_td/pictures/td_pictures.h"
#include "core/optim/descent.h"

namespace emergence {
namespace {

constexpr size_t kMostOperations = 64;
constexpr uint64_t kFittingWorld = 1;  // MRPs on which steps are fitted, never judged

const char* const kBlockNames[] = {"phi", "next", "R"};

[[noreturn]] void refuse_operation(std::string_view found) {
    throw InputError(
        "surgery: '{}' is not an operation. Write snap, zero or scale, then where (nothing: both matrices; P, Q, a "
        "layer's Q0, or a block Q[phi,next] of phi, next and R), then a number after scale. Separate several by ';'",
        found.substr(0, 60));
}

std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, smaller(text.find_first_of(" \t"), text.size()));
    text.remove_prefix(word.size());
    return word;
}

// Reads a block's name as users type it, or as the matrices' pictures label it.
int block_named(std::string_view name, std::string_view whole) {
    name = trimmed(name);
    for (int i = 0; i < 3; ++i)
        if (name == kBlockNames[i] || name == kBlockLabels[i]) return i;
    refuse_operation(whole);
}

// "Q", "Q0", "Q[phi,next]", "Q0[phi,next]".
void read_place(std::string_view place, int stored, Operation& operation, std::string_view whole) {
    if (place.empty() || (place[0] != 'P' && place[0] != 'Q')) refuse_operation(whole);
    operation.matrix = place[0];
    place.remove_prefix(1);
    const size_t digits = smaller(place.find('['), place.size());
    if (digits > 0) {
        operation.layer = parsed<int>(place.substr(0, digits)).value_or(-1);
        if (operation.layer < 0) refuse_operation(whole);
        if (operation.layer >= stored)
            throw InputError("surgery: layer {} in '{}' is not from 0 to {}", operation.layer, whole, stored - 1);
        place.remove_prefix(digits);
    }
    if (place.empty()) return;
    const size_t comma = place.find(',');
    if (place.back() != ']' || comma == std::string_view::npos) refuse_operation(whole);
    operation.row = block_named(place.substr(1, comma - 1), whole);
    operation.column = block_named(place.substr(comma + 1, place.size() - comma - 2), whole);
}

Operation read_operation(std::string_view text, int stored) {
    const std::string_view whole = text;
    static constexpr std::string_view kVerbs[] = {"snap", "zero", "scale"};  // in the order of Kind
    const auto* const verb = std::find(std::begin(kVerbs), std::end(kVerbs), take_word(text));
    if (verb == std::end(kVerbs)) refuse_operation(whole);
    Operation operation{static_cast<Operation::Kind>(verb - std::begin(kVerbs))};
    text = trimmed(text);
    if (operation.kind == Operation::Kind::scale) {
        const size_t last = text.find_last_of(" \t");
        const std::string_view number = last == std::string_view::npos ? text : text.substr(last + 1);
        operation.factor = parsed<double>(number).value_or(std::numeric_limits<double>::quiet_NaN());
        if (!(std::abs(operation.factor) <= 1e3)) refuse_operation(whole);
        text = trimmed(text.substr(0, last == std::string_view::npos ? 0 : last));
    }
    if (!text.empty()) read_place(text, stored, operation, whole);
    return operation;
}

// The rows or columns, first up to but not including last, of a block of the prompt or of the whole prompt.
struct Span {
    int first, last;
};
Span span_of(int block, int d) {
    if (block < 0) return {0, 2 * d + 1};
    return {block * d, block == 2 ? 2 * d + 1 : (block + 1) * d};
}

// The part of a layer's matrix that an operation changes, and theory's matrix.
struct OperatedPart {
    float* values;  // D x D
    const Table& theory;
    Span rows, columns;

    void each(const auto& act) const {
        for (int i = rows.first; i < rows.last; ++i)
            for (int j = columns.first; j < columns.last; ++j) act(values[i * theory.columns + j], theory(i, j));
    }
};

void snap(const OperatedPart& part) {
    double along = 0, size = 0;
    part.each([&](float value, double expected) {
        along += static_cast<double>(value) * expected;
        size += expected * expected;
    });
    const double multiple = size > 0 ? along / size : 0.0;
    part.each([multiple](float& value, double expected) { value = static_cast<float>(multiple * expected); });
}

void act(const Operation& operation, const OperatedPart& part) {
    if (operation.kind == Operation::Kind::snap) return snap(part);
    const bool zero = operation.kind == Operation::Kind::zero;  // zero also replaces entries that are not finite
    part.each([&](float& value, double) {
        value = zero ? 0.0F : static_cast<float>(operation.factor * static_cast<double>(value));
    });
}

// ---- Pictures of surgery: value error by context length, and the matrices after it

// Adds copies of the learned matrices, after surgery.
void add_operated_matrices(const NetworkShape& shape, const LearnedSeeds& operated, Snapshot& snapshot) {
    std::vector<NamedMatrix> copies;
    for (const NamedMatrix& learned : snapshot.matrices) {
        const bool is_p = learned.name[0] == 'P';
        if ((!is_p && learned.name[0] != 'Q') || learned.seeds.empty()) continue;
        const size_t size = learned.seeds[0].values.size();
        const auto layer = static_cast<size_t>(std::stoi(learned.name.substr(1)));
        NamedMatrix copy = learned;
        copy.name = "operated " + learned.name;
        copy.title = learned.name + " after surgery";
        copy.target.reset();
        copy.meanings.clear();
        copy.initial_products = Table();
        const size_t start = ((is_p ? 0 : static_cast<size_t>(shape.stored)) + layer) * size;
        for (size_t k = 0; k < copy.seeds.size(); ++k)
            std::copy_n(operated[k].weights.begin() + static_cast<std::ptrdiff_t>(start), size,
                        copy.seeds[k].values.begin());
        copies.push_back(std::move(copy));
    }
    snapshot.matrices.insert(snapshot.matrices.end(), copies.begin(), copies.end());
}

// The value errors of the networks, before and after surgery, and batch TD's.
PlotSpec surgery_plot(const InContextTdConfig& config, const HeldOutBank& bank, const LearnedSeeds& seeds,
                      const std::array<std::vector<std::vector<double>>, 3>& errors) {
    Plot plot("surgery", "Value error after surgery");
    plot.leads();
    const std::vector<double> x(bank.options().context_lengths.begin(), bank.options().context_lengths.end());
    plot.x("n").from(0.0).to(x.back());
    plot.y(fmt::format("MSVE, {} held-out MRPs", SurgeryBench::kJudgedMrps)).cut(kErrorCut * bank.msve_of_zero());
    plot.level("best linear", bank.msve_of_best_linear()).level("predict zero", bank.msve_of_zero());
    plot.mark(fmt::format("n = {}", config.eval_context_length), config.eval_context_length);
    plot.line("untouched", x, errors[0]);
    plot.line("after surgery", x, errors[1]).color(3);
    plot.line("after surgery, step refitted", x, errors[2]).color(2);
    plot.line(batch_td_name(config, seeds), x, batch_td_errors(bank, config.num_layers, seeds)).color(1).dashed();
    plot.note(fmt::format(
        "A copy of the network after: {}. Step refitted: P times the number with the least value error at n = {} on {} "
        "other MRPs, because surgery changes the step size.",
        config.surgery, config.context_length, SurgeryBench::kFittedMrps));
    return plot;
}

// Adds the errors at the marked context length and the factor of the refitted step.
void add_readouts(const InContextTdConfig& config, size_t marked, std::vector<double> steps, PlotSpec& plot,
                  Snapshot& snapshot) {
    const char* const names[] = {"untouched", "operated", "refitted"};
    const char* const labels[] = {"untouched", "after surgery", "refitted"};
    plot.readout = fmt::format("{}; at n = {}: ", config.surgery, config.eval_context_length);
    for (size_t i = 0; i < 3; ++i) {
        const double error = summarise(plot.series[i].rows, marked).mean;
        snapshot.scalars.push_back(
            {fmt::format("surgery_{}", names[i]), labels[i], error, "",
             fmt::format("{}: MSVE at n = {}, mean over networks.", plot.series[i].name, config.eval_context_length)});
        plot.readout += fmt::format("{} {}{}", labels[i], readout(error), i < 2 ? ", " : "");
    }
    std::sort(steps.begin(), steps.end());
    const double step = steps.empty() ? kMissing : steps[(steps.size() - 1) / 2];
    snapshot.scalars.push_back({"surgery_step", "refitted: step times", step, "",
                                "The factor on P that refits the step size after surgery, for the median network."});
    plot.readout += fmt::format(" (step times {})", readout(step));
}

}  // namespace

std::vector<Operation> parse_operations(std::string_view text, int stored_layers) {
    std::vector<Operation> operations;
    while (!trimmed(text).empty()) {
        const size_t end = smaller(text.find(';'), text.size());
        const std::string_view one = trimmed(text.substr(0, end));
        text.remove_prefix(smaller(end + 1, text.size()));
        if (one.empty()) continue;
        operations.push_back(read_operation(one, stored_layers));
        if (operations.size() > kMostOperations)
            throw InputError("surgery: there are more than {} operations", kMostOperations);
    }
    return operations;
}

std::vector<float> operate(const NetworkShape& shape, const std::vector<float>& weights,
                           const std::vector<Operation>& operations, LossKind loss) {
    std::vector<float> result = weights;
    if (operations.empty()) return result;
    // check_surgery() has refused to snap where theory has no weights.
    const TheoryMatrices theory =
        in_context_td_theory(shape.d, shape.layers, loss == LossKind::average_reward ? LossKind::td : loss);
    const int rows = shape.rows();
    for (const Operation& operation : operations)
        for (int which = 0; which < 2; ++which)
            for (int layer = 0; layer < shape.stored; ++layer) {
                if (operation.matrix != 0 && operation.matrix != "PQ"[which]) continue;
                if (operation.layer >= 0 && operation.layer != layer) continue;
                act(operation,
                    {result.data() + (which * shape.stored + layer) * rows * rows, which == 0 ? theory.P : theory.Q,
                     span_of(operation.row, shape.d), span_of(operation.column, shape.d)});
            }
    return result;
}

std::vector<float> with_step(const std::vector<float>& weights, double c) {
    std::vector<float> result = weights;
    for (size_t i = 0; i < result.size() / 2; ++i) result[i] = static_cast<float>(c * static_cast<double>(result[i]));
    return result;
}

double refitted_step(const NetworkEvaluator& evaluator, size_t index, const std::vector<float>& weights) {
    const auto error_at = [&](double log_c) {
        return bounded_error(mean_of(evaluator.errors(index, with_step(weights, std::exp2(log_c)))));
    };
    return std::exp2(line_minimum(error_at, -4, 4, 0.25, 14));
}

std::shared_ptr<const SurgeryBench> make_surgery_bench(const InContextTdConfig& config) {
    if (config.surgery.empty() || !has_theory(config) || !config.tasks.has_values()) return nullptr;
    const int n = config.context_length;
    const auto lengths = ascending({1, 2, 3, 5, 8, 12, 20, n, n * 4 / 3, config.eval_context_length});
    return std::make_shared<const SurgeryBench>(
        SurgeryBench{make_evaluator(config, SurgeryBench::kJudgedMrps, lengths),
                     make_evaluator(config, SurgeryBench::kFittedMrps, {n}, kFittingWorld)});
}

void check_surgery(const InContextTdConfig& config) {
    const std::vector<Operation> operations = parse_operations(config.surgery, network_shape(config).stored);
    if (has_target(config) || config.loss.kind != LossKind::average_reward) return;
    for (const Operation& operation : operations)
        if (operation.kind == Operation::Kind::snap)
            throw InputError(
                "surgery: snap needs theory's weights, and theory has none for loss = average_reward on one head. Use "
                "model = two_heads");
}

void add_surgery_views(const InContextTdConfig& config, const SurgeryBench& bench, const LearnedSeeds& seeds,
                       Snapshot& snapshot) {
    const HeldOutBank& bank = bench.judged->bank();
    const NetworkShape shape = network_shape(config);
    const auto operations = parse_operations(config.surgery, shape.stored);
    // The weights of all seeds untouched, after the operations, and with their step refitted.
    LearnedSeeds all[] = {seeds, seeds, seeds};
    std::vector<double> steps;
    for (size_t k = 0; k < seeds.size(); ++k) {
        all[1][k].weights = operate(shape, seeds[k].weights, operations, config.loss.kind);
        const double step = refitted_step(*bench.fitted, 0, all[1][k].weights);
        all[2][k].weights = with_step(all[1][k].weights, step);
        if (!seeds[k].failed) steps.push_back(step);
    }
    std::array<std::vector<std::vector<double>>, 3> errors;
    for (size_t i = 0; i < errors.size(); ++i)
        errors[i] = rows_of(all[i], bank.options().context_lengths.size(), [&](const LearnedWeights& seed) {
            return bounded_errors(bench.judged->msve_by_length(seed.weights));
        });
    PlotSpec plot = surgery_plot(config, bank, seeds, errors);
    add_readouts(config, marked_place(config, bank), std::move(steps), plot, snapshot);
    snapshot.plots.insert(snapshot.plots.begin(), std::move(plot));
    for (auto& [name, array] : weight_arrays(shape, all[1]))
        if (name != "alpha") snapshot.weights["operated " + name] = array;
    add_operated_matrices(shape, all[1], snapshot);
}

}  // namespace emergence
