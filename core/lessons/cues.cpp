#include "core/lessons/cues.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "core/base/error.h"
#include "core/base/text.h"
#include "core/files/text.h"
#include "core/lessons/lesson.h"
#include "core/settings/toml.h"
#include "core/settings/toml_reader.h"

namespace emergence {
namespace {

const std::vector<std::string> kCueKeys = {"step", "stage", "wings", "sentence"};

class CueReader {
  public:
    explicit CueReader(const std::string& source) : source_(source) {}

    Cue read(const toml::table& table) const {
        for (const auto& [key, node] : table)
            if (std::find(kCueKeys.begin(), kCueKeys.end(), key.str()) == kCueKeys.end())
                fail(key.source().begin.line,
                     unknown_name("key", std::string(key.str()), kCueKeys, "a cue has only these"));
        Cue cue;
        const toml::node* step = table.get("step");
        cue.step = step == nullptr ? -1 : step->value_exact<int64_t>().value_or(-1);
        if (cue.step < 0)
            fail((step == nullptr ? static_cast<const toml::node&>(table) : *step).source().begin.line,
                 "step: a whole number from 0 on is needed");
        cue.stage = names(table, "stage");
        cue.wings = names(table, "wings");
        if (const toml::node* sentence = table.get("sentence")) {
            const auto text = sentence->value_exact<std::string>();
            if (!text) fail(sentence->source().begin.line, "sentence: a text in quotes is needed");
            cue.sentence = *text;
        }
        return cue;
    }
    [[noreturn]] void fail(uint32_t line, const std::string& reason) const {
        throw InputError(fmt::format("{}:{}: {}", source_, line, reason));
    }

  private:
    std::vector<std::string> names(const toml::table& table, const char* key) const {
        const toml::node* node = table.get(key);
        if (node == nullptr) return {};
        if (auto found = texts_in(*node)) return *std::move(found);
        fail(node->source().begin.line, fmt::format("{}: a list of texts is needed", key));
    }
    const std::string& source_;
};

}  // namespace

void add_cue(Cue cue, std::vector<Cue>& cues) {
    const auto at = std::lower_bound(cues.begin(), cues.end(), cue.step,
                                     [](const Cue& one, int64_t step) { return one.step < step; });
    if (at != cues.end() && at->step == cue.step)
        *at = std::move(cue);
    else
        cues.insert(at, std::move(cue));
}

std::string cues_to_toml(const std::vector<Cue>& cues) {
    std::string text;
    for (const Cue& cue : cues) {
        text += fmt::format("{}[[cue]]\nstep = {}\n", text.empty() ? "" : "\n", cue.step);
        if (!cue.stage.empty()) text += fmt::format("stage = {}\n", toml_value(ViewValue(cue.stage)));
        if (!cue.wings.empty()) text += fmt::format("wings = {}\n", toml_value(ViewValue(cue.wings)));
        if (!cue.sentence.empty()) text += fmt::format("sentence = {}\n", quoted_toml(cue.sentence));
    }
    return text;
}

std::vector<Cue> parse_cues(std::string_view text, const std::string& source) {
    const toml::table root = parse_toml(text, source);
    const CueReader reader(source);
    std::vector<Cue> cues;
    for (const auto& [key, node] : root) {
        if (key.str() != "cue" || !node.is_array_of_tables())
            reader.fail(key.source().begin.line, "only tables [[cue]] are known here");
        for (const toml::node& one : *node.as_array()) add_cue(reader.read(*one.as_table()), cues);
    }
    return cues;
}

std::vector<Cue> cues_in(const std::filesystem::path& folder) {
    const std::filesystem::path file = folder / kCuesFile;
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return {};
    return parse_cues(read_text(file), file.string());
}

double reading_seconds(std::string_view sentence) {
    constexpr double kLeast = 2.5, kOfWord = 0.35;
    return kLeast + kOfWord * static_cast<double>(count_words(sentence));
}

}  // namespace emergence
