#include "core/files/csv.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/base/error.h"
#include "tests/support/scratch.h"

namespace emergence {
namespace {

using namespace testing;

TEST_CASE("fields are quoted where they have to be") {
    std::string line;
    for (const char* text : {"plain text", "a,b", "say \"so\"", "two\nlines", " edge", "", "caf\xE9"})
        line += csv_field(text) + ",";
    CHECK(line == "plain text,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\" edge\",,caf\\xE9,");
}

TEST_CASE("numbers are as short as reads back to the same") {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    std::string line;
    for (const double number : {0.1, 3.0, -0.0, 1e-300, 1.0 / 3.0, nan, -nan, -infinity})
        line += csv_field(number) + ",";
    CHECK(line == "0.1,3,0,1e-300,0.3333333333333333,nan,nan,-inf,");
}

TEST_CASE("what was written reads back") {
    const Scratch scratch;
    const double infinity = std::numeric_limits<double>::infinity();
    std::string text = csv_field("seed") + ',' + csv_field("a, b") + ",c\n";
    for (const std::vector<double>& row : {std::vector{7.0, 1.0 / 3.0, std::nan("")}, {8.0, -infinity, 5e-324}})
        text += csv_field(row[0]) + ',' + csv_field(row[1]) + ',' + csv_field(row[2]) + '\n';
    CHECK(text == "seed,\"a, b\",c\n7,0.3333333333333333,nan\n8,-inf,5e-324\n");
    testing::spit(scratch / "t.csv", text);
    const NumericTable table = read_csv(scratch / "t.csv");
    CHECK(table.header == std::vector<std::string>{"seed", "a, b", "c"});
    CHECK(table.rows() == 2);
    CHECK(table.column("a, b") == std::vector<double>{1.0 / 3.0, -infinity});
    CHECK(std::isnan(table.column("c")[0]));
    CHECK(table.column("c")[1] == 5e-324);
}

TEST_CASE("tables of other programs: CRLF, byte order mark, quotes, empty fields, no last line end") {
    const NumericTable table = parse_csv("\xEF\xBB\xBF\"x\",\"say \"\"y\"\"\"\r\n1, 2.5 \r\n\r\n\"3\",", "t");
    CHECK(table.header == std::vector<std::string>{"x", "say \"y\""});
    CHECK(table.column("x") == std::vector<double>{1, 3});
    CHECK(table.column("say \"y\"")[0] == 2.5);
    CHECK(std::isnan(table.column("say \"y\"")[1]));
    CHECK(parse_csv("x\n", "t").rows() == 0);
    CHECK(parse_csv("x, y\n1, +2\n", "t").column("y") == std::vector<double>{2});
    CHECK(parse_csv("sep=,\nx,y\n1,2\n", "t").column("y") == std::vector<double>{2});
    CHECK(parse_csv("x,y\r1,2\r3,4\r", "t").column("y") == std::vector<double>{2, 4});
    // Empty columns and lines that spreadsheets append.
    const NumericTable padded = parse_csv("x,y,,,\n1,2,,,\n,,,,\n3,4\n", "t");
    CHECK(padded.header == std::vector<std::string>{"x", "y"});
    CHECK(padded.column("x") == std::vector<double>{1, 3});
}

TEST_CASE("refusals name file, line and what was found") {
    const auto refusal = [](const char* text) { return message_of<InputError>([&] { parse_csv(text, "t"); }); };
    CHECK(refusal("") == "t: is empty, but needs a header");
    CHECK(refusal("a,b\n1,2\n3\n") == "t:3: the line has 1 fields, but the header has 2");
    CHECK(refusal("a,b\n1,2x\n") == "t:2: column 'b': '2x' is not a number");
    CHECK(refusal("a,a\n") == "t:1: column 'a' occurs twice");
    CHECK(refusal("reward;p1;p2\n0,5;0,5;0,5\n") ==
          "t:1: fields are separated by ';'. Save the table with ',' between fields and '.' in numbers");
    CHECK(refusal("reward\tp1\n").find("t:1: fields are separated by tabs") == 0);
    CHECK(refusal("reward|p1\n").find("t:1: fields are separated by '|'") == 0);
    CHECK(refusal("a,b\n1;2\n").find("t:2: fields are separated by ';'") == 0);
    CHECK(refusal("reward p1\n0.5 0.5\n") == "t:2: column 'reward p1': '0.5 0.5' is not a number");
    CHECK(refusal("learning rate\n1\n").empty());
    CHECK(refusal("# by hand\nx,y\n") == "t:2: the line has 2 fields, but the header has 1");
    CHECK(refusal("x\n+-1\n") == "t:2: column 'x': '+-1' is not a number");
    CHECK(holds(refusal("a,b\n0,5,0,5\n"), "Write 0.5, not 0,5"));
    CHECK(holds(refusal("a,b\n\"0,5\",1\n"), "Write 0.5, not 0,5"));
    CHECK(refusal("\xFF\xFE"
                  "a")
              .find("t: is UTF-16 or UTF-32, not UTF-8") == 0);
    CHECK(refusal("a\n\xE9\n").find("t:2: byte E9 is not UTF-8") == 0);
    CHECK(message_of<InputError>([] { parse_csv(std::string("a\n1\0\n", 5), "t"); }).find("t:2: holds a NUL byte") ==
          0);
    CHECK(refusal("a\n\"1") == "t:2: a quoted field does not end");
    CHECK(refusal("a\n\"1\"2\n") == "t:2: only a comma or the end of the line may follow a field");
    CHECK(message_of<InputError>([] { (void)parse_csv("a,b\n", "t").column("c"); }) ==
          "t: no column 'c'. Columns: a, b");
    CHECK(message_of<InputError>([] { (void)parse_csv("reward,p1\n", "t").column("rewards"); }) ==
          "t: no column 'rewards'. Columns: reward, p1. Did you mean 'reward'?");
    CHECK_THROWS_WITH_AS(read_csv("no such file"), doctest::Contains("no such file: cannot be read"), InputError);
}

}  // namespace
}  // namespace emergence
