#include "core/base/text.h"

#include <doctest/doctest.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/files/text.h"
#include "tests/support/scratch.h"
#include "tests/support/shell.h"

using namespace emergence;

TEST_CASE("a number is the whole text or none") {
    CHECK(parsed<int>("12") == 12);
    CHECK(parsed<double>("-2.5e3") == -2500.0);
    CHECK(parsed<uint32_t>("1F", 16) == 31U);
    for (const char* text : {"", " 1", "1 ", "1x", "+1", "1.0", "99999999999"}) {
        INFO(text);
        CHECK(!parsed<int>(text));
    }
    CHECK(!parsed<uint32_t>("-1"));
}

TEST_CASE("counts have the right form of their word") {
    CHECK(counted(0, "seed") == "0 seeds");
    CHECK(counted(1, "seed") == "1 seed");
    CHECK(counted(size_t{2}, "seed") == "2 seeds");
    CHECK(counted(1, "entry", "entries") == "1 entry");
    CHECK(counted(2, "entry", "entries") == "2 entries");
}

TEST_CASE("a name is near those that differ by little or hold it") {
    const std::vector<std::string> names = {"wang-2", "wang-8a", "theorem-1", "theorem-3", "num_layers"};
    CHECK(near_names("wang-3", names).front() == "wang-2");
    CHECK(near_names("Theorem-1", names).front() == "theorem-1");
    CHECK(near_names("theorem1", names).front() == "theorem-1");
    CHECK(near_names("layers", names).front() == "num_layers");
    CHECK(near_names("8a", names).front() == "wang-8a");
    CHECK(near_names("zzzzzz", names).empty());
    CHECK(near_names("theorem-", names, 1).size() == 1);
}

TEST_CASE("few names are listed, many are not") {
    CHECK(unknown_name("figure", "c", {"a", "b"}, "x") == "unknown figure 'c'. Known: a, b");
    for (const char* kind : {"preset", "figure", "experiment"})
        CHECK(unknown_name(kind, "basins", {}).starts_with("'basins' is gone. 'sweep td'"));
    CHECK(unknown_name("metric", "basins", {"a"}) == "unknown metric 'basins'. Known: a");
    CHECK(unknown_name("key", "rewards", {"reward", "transition"}, "x") ==
          "unknown key 'rewards'. Known: reward, transition. Did you mean 'reward'?");
    std::vector<std::string> many;
    for (int i = 10; i < 40; ++i) many.push_back("wang-" + std::to_string(i));
    CHECK(unknown_name("figure", "wang-9", many, "list names all")
              .starts_with("unknown figure 'wang-9' (did you mean 'wang-"));
    CHECK(unknown_name("figure", "q", many, "list names all") == "unknown figure 'q' (list names all)");
    CHECK(unknown_name("figure", "wang_19", many).ends_with("wang-38, wang-39. Did you mean 'wang-19'?"));
}

TEST_CASE("letters are folded in ASCII alone") {
    CHECK(small_letters("A Bφ\xC3\x84") == "a bφ\xC3\x84");
    CHECK(capital_letters("a bφ") == "A Bφ");
    CHECK(capitalised("seed 7") == "Seed 7");
    CHECK(capitalised("").empty());
}

TEST_CASE("numbers are rounded, and told apart in as few digits as do") {
    CHECK(rounded(0.6664, 3) == 0.666);
    CHECK(rounded(-1234.5, 2) == -1200);
    CHECK(std::isnan(rounded(std::nan(""), 3)));
    CHECK(told_apart({0.98841, 0.9884, 0.9}) == std::vector<std::string>{"0.98841", "0.9884", "0.9"});
    CHECK(told_apart({0.00123, 0.001231, 0.0012314}) == std::vector<std::string>{"0.00123", "0.001231", "0.0012314"});
    CHECK(told_apart({0.1, 0.2}) == std::vector<std::string>{"0.1", "0.2"});
    CHECK(told_apart({1.0, 1.0}) == std::vector<std::string>{"1", "1"});  // nothing tells them apart
    CHECK(told_apart({}).empty());
    const std::vector<std::pair<std::string, std::string>> kZeros = {{"-0.00", "0.00"}, {"-0", "0"}, {"-0.01", "-0.01"},
                                                                     {"0.0", "0.0"},    {"", ""},    {"-", "-"}};
    for (const auto& [text, plain] : kZeros) CHECK(unsigned_zero(text) == plain);
}

TEST_CASE("a shell reads words back as they were") {
    for (const char* word : {"plain-1.5/x", "two words", "",   "it's",  "$HOME `id` $(id)",
                             "50%d",        "a\nb",      "\\", "*?[x]", "~",
                             "a;b&c|d>e<f", "#x",        "!x", "\"q\"", "=x",
                             "x\xe9y",      "ä",         "-x", "{a,b}", "(a)"})
        CHECK(testing::words_of_shell(shell_word(word)) == std::string(word) + "|");
    CHECK(shell_word("num_layers=2") == "num_layers=2");
    CHECK(shell_path("-x y") == "'./-x y'");
    CHECK(shell_command({"resume", "my out"}) == "emergence-cli resume 'my out'");
}

TEST_CASE("named numbers are read in any order and written by their names") {
    const NamedNumbers numbers = parse_named_numbers(" r1=-0.5;\tp2,3=1e-3\n");
    CHECK(numbers == NamedNumbers{{"p2,3", 0.001}, {"r1", -0.5}});
    CHECK(to_text(numbers) == "p2,3=0.001 r1=-0.5");
    CHECK(parse_named_numbers("").empty());
    CHECK(to_text(NamedNumbers{}) == "");
    CHECK(with_number("r1=2", "a", 0.1) == "a=0.1 r1=2");
    CHECK(with_number("r1=2", "r1", 0.25) == "r1=0.25");
    CHECK(with_number("a=1 r1=2", "a", std::nullopt) == "r1=2");
    CHECK(with_number("r1=2", "a", std::nullopt) == "r1=2");
    CHECK(with_number("nonsense", "a", 1.0) == "a=1");
}

TEST_CASE("what is no named number is refused by its own words") {
    const auto refusal = [](const char* text) {
        return testing::message_of<InputError>([&] { parse_named_numbers(text); });
    };
    CHECK(refusal("r1") == "'r1' is not name=number");
    CHECK(refusal("=1") == "'=1' is not name=number");
    CHECK(refusal("r1=x") == "'r1=x': 'x' is not a number");
    CHECK(refusal("r1=nan") == "'r1=nan': 'nan' is not a number");
    CHECK(refusal("r1=") == "'r1=': '' is not a number");
    CHECK(refusal("r1=1 r1=2") == "'r1=2': the name 'r1' is given twice");
}

namespace emergence::local_time_test {

TEST_CASE("a stamp is a date and a time that names can hold") {
    const std::string stamp = time_stamp();
    REQUIRE(stamp.size() == 15);
    for (size_t i = 0; i < stamp.size(); ++i)
        CHECK((i == 8 ? stamp[i] == '-' : std::isdigit(static_cast<unsigned char>(stamp[i])) != 0));
}

}  // namespace emergence::local_time_test
