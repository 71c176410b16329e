// What sentences of the README and the handbook say of options, settings, limits and results is what the programs have.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "app/cli/command.h"
#include "core/base/error.h"
#include "core/experiments/registry.h"
#include "core/lab/figures/claims.h"
#include "core/lab/figures/comparison.h"
#include "core/lab/store/checkpoint.h"
#include "tests/app/handbook/filled_pages.h"
#include "tests/support/judged.h"

namespace emergence {
namespace {

std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
    std::vector<std::string> found;
    const std::regex regex(pattern);
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) found.push_back((*at)[1]);
    return found;
}

// The text without blocks of code.
std::string prose_of(const std::string& text) { return std::regex_replace(text, std::regex("```[^`]*```"), ""); }

// The text without what the programs write into it.
std::string without_tables(std::string text) {
    for (size_t at = 0; (at = text.find("<!-- generated", at)) != std::string::npos;)
        text.erase(at, text.find("<!-- end -->", at) - at);
    return text;
}

void add_options(const CommandWords& command, std::set<std::string>& names) {
    for (const OptionWords& option : command.options) names.insert(option.names.begin(), option.names.end());
    for (const CommandWords& one : command.commands) add_options(one, names);
}

}  // namespace

TEST_CASE("a line of a claim that a page shows is what the results that ship say") {
    const auto results = read_all_claim_results(testing::source_dir() / "assets" / "results");
    size_t lines = 0;
    for (const testing::Page& page : testing::handbook_pages())
        for (const std::string& line :
             matches(page.text, "\n([a-z0-9-]+ +(?:agrees|undecided|differs, as known|FAILS) +measured [^\n]*)")) {
            CAPTURE(page.name);
            const std::string name = line.substr(0, line.find(' '));
            bool known = false;
            for (const Claim& claim : testing::shipped_claims())
                for (const ClaimResults& of : results) {
                    const auto found = of.claims.find(name);
                    if (claim.name != name || of.figure != claim.figure || found == of.claims.end()) continue;
                    known = true;
                    CHECK(line == fmt::format("{:<24} {:<18} measured {} allowed {}", name,
                                              verdict_text(verdict_of(claim, found->second)),
                                              measured_text(found->second), range_text(claim.agrees)));
                }
            CHECK_MESSAGE(known, "no results of " << name);
            ++lines;
        }
    CHECK(lines >= 2);
}

// Of shares the results hold k of n, so that a page, a lesson or a preset may say k or n - k; other numbers of the same
// n are facts that a later measurement has changed.
TEST_CASE("so many of so many, in a sentence, is what the results that ship say") {
    constexpr int64_t kMany = 60;  // of fewer networks several facts have the same n
    const auto number = [](std::string text) {
        text.erase(std::remove(text.begin(), text.end(), ','), text.end());
        return std::stoll(text);
    };
    std::map<int64_t, std::set<int64_t>> counts;
    for (const ClaimResults& results : read_all_claim_results(testing::source_dir() / "assets" / "results"))
        for (const auto& [name, one] : results.claims)
            if (one.n >= kMany && one.value >= 0 && one.value <= 1) {
                const int64_t count = std::llround(one.value * static_cast<double>(one.n));
                counts[one.n].insert({count, one.n - count});
            }
    std::vector<testing::Page> pages = testing::handbook_pages();
    for (const char* folder : {"assets/lessons", "assets/presets"})
        for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / folder))
            if (entry.path().extension() == ".toml")
                pages.push_back({entry.path().filename().string(), testing::slurp(entry.path())});
    const std::regex fact("\\b([0-9][0-9,]*) of (?:a |the )?([1-9][0-9,]*[0-9])\\b");
    size_t checked = 0;
    for (const testing::Page& page : pages) {
        const std::string text = without_tables(page.text);
        for (std::sregex_iterator at(text.begin(), text.end(), fact), end; at != end; ++at) {
            const auto known = counts.find(number((*at)[2]));
            if (known == counts.end()) continue;
            CHECK_MESSAGE(known->second.contains(number((*at)[1])), page.name << ": no result is " << at->str());
            ++checked;
        }
    }
    CHECK(checked > 10);
}

// A number names its claim behind it (with_numbers in generated.h): counts in every chapter, decimals where no formula
// and no paper's number is due.
TEST_CASE("no measured number of a chapter stands alone") {
    static const std::set<std::string> general = {"README", "hello", "window", "saved-runs", "python", "questions"};
    const std::regex count("(\\b[0-9][0-9,]*\\s+of\\s+(?:a |the )?[1-9][0-9]+\\b(?![0-9,]*<!--))");
    const std::regex decimal("([^= ] -?[0-9]+\\.[0-9]+(?![0-9]*(?:<!--|e-)))");
    const std::regex code("`[^`]*`");
    size_t named = 0;
    for (const testing::Page& page : testing::handbook_pages()) {
        if (page.name.find("/lab/") != std::string::npos) continue;
        const std::string text = std::regex_replace(without_tables(prose_of(page.text)), code, "");
        for (std::sregex_iterator at(text.begin(), text.end(), count), end; at != end; ++at)
            FAIL_CHECK(page.name << ": '" << at->str() << "' names no claim, as 20 of 30<!--wang-2-always-->");
        const bool all = general.contains(std::filesystem::path(page.name).stem().string());
        for (std::sregex_iterator at(text.begin(), text.end(), decimal), end; all && at != end; ++at)
            FAIL_CHECK(page.name << ": '" << at->str() << "' names no claim, as 1.54<!--wang-2-corner-->");
        for (size_t at = 0; (at = text.find("<!--", at)) != std::string::npos; ++at) ++named;
    }
    CHECK(named > 30);
}

TEST_CASE("an option in a sentence is one of the programs'") {
    std::set<std::string> names = {"--out", "--all", "--record", "--sanitizers", "--tests", "--check"};
    add_options(cli::command_words(), names);
    // Of the window's program, which this test does not have, and of others'.
    std::istringstream others(
        "--size --ui-scale --theme --paused --pace --screenshot --after --step --no-preferences --file "
        "--version --help --enable-recovery --oversubscribe --requeue --benchmark --test-dir --whole --wrap --array --single --workflow");
    names.insert(std::istream_iterator<std::string>(others), {});
    size_t checked = 0;
    for (const testing::Page& page : testing::handbook_pages()) {
        if (page.name.ends_with("changes.md")) continue;  // names what went
        for (const std::string& code : matches(prose_of(page.text), "`([^`\n]+)`"))
            for (const std::string& option : matches(" " + code, "[ (](--[a-z][a-z-]*)")) {
                ++checked;
                CHECK_MESSAGE(names.contains(option), page.name << ": no program has " << option);
            }
    }
    CHECK(checked > 60);
}

TEST_CASE("a setting with a value in a sentence is one that some experiment takes") {
    size_t checked = 0;
    for (const testing::Page& page : testing::handbook_pages())
        for (const std::string& code : matches(prose_of(page.text), "`([a-z_]+ ?= ?[A-Za-z0-9_.-]+)`")) {
            const size_t equals = code.find('=');
            const std::string name = code.substr(0, code.find_first_of(" =")),
                              value = code.substr(code.find_first_not_of(" ", equals + 1));
            bool is_field = false, takes = false;
            for (const ExperimentInfo& info : experiments()) {
                Settings settings(info.fields);
                if (!settings.has(name)) continue;
                is_field = true;
                try {
                    settings.set_from_text(name, value);
                    takes = true;
                } catch (const InputError&) {  // of another experiment
                }
            }
            if (!is_field && value == "FILE") continue;
            ++checked;
            CHECK_MESSAGE((takes || value == "FILE" || value == "DIR" || !is_field),
                          page.name << ": no experiment takes " << code);
        }
    CHECK(checked > 20);
}

TEST_CASE("numbers in sentences are the programs'") {
    struct Stated {
        const char* page;
        std::string sentence;
    };
    const Stated stated[] = {
        {"lab/sweeps",
         fmt::format("percentile bootstrap, {},{:03} samples", kBootstrapSamples / 1000, kBootstrapSamples % 1000)},
        {"lab/sweeps", fmt::format("all flips up to {} pairs", kExactPairs)},
        {"command-line", fmt::format("up to {} moments of the run", kDefaultMoments)},
        {"questions",
         "refuses the folder if it holds\nanything else. `--force` replaces that, if Emergence wrote all of it"},
    };
    for (const Stated& one : stated)
        CHECK_MESSAGE(testing::slurp(testing::source_dir() / "assets/handbook" / (std::string(one.page) + ".md"))
                              .find(one.sentence) != std::string::npos,
                      one.page << ".md does not say: " << one.sentence);
}

}  // namespace emergence
