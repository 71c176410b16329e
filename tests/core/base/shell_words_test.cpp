#include "core/base/shell_words.h"

#include <doctest/doctest.h>

#include "tests/support/shell.h"

namespace emergence {
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

}  // namespace emergence
