#include "core/lab/store/provenance.h"

#include <doctest/doctest.h>

#include "core/base/version.h"
#include "tests/support/scratch.h"

namespace emergence {

TEST_CASE("provenance keeps the sessions before, and says of a killed one only where it began") {
    const testing::Scratch scratch;
    std::filesystem::create_directories(scratch.path());
    ProvenanceSession session{"emergence-cli run td --out 'a b'", "2026-11-22 22:15:03 +0000", 2, 0};
    Provenance(scratch.path(), false).write(session);
    const std::string killed = testing::slurp(scratch / kProvenanceFile);
    CHECK(killed.find("\n[[session]]\ncommand = \"emergence-cli run td --out 'a b'\"\nversion = \"" + version()) !=
          std::string::npos);
    CHECK(killed.ends_with("threads = 2\nfrom_step = 0\n"));
    session.from_step = 10;
    session.to_step = 40;
    session.seconds = 1.25;
    session.cpu_seconds = 2.0;
    const Provenance resumed(scratch.path(), true);
    resumed.write(session);
    resumed.write(session);  // replaces its own session only
    const std::string both = testing::slurp(scratch / kProvenanceFile);
    CHECK(both.starts_with(killed));
    CHECK(both.ends_with("from_step = 10\nto_step = 40\nseconds = 1.2\ncpu_seconds = 2.0\n"));
    CHECK(both.find("[[session]]", both.find("[[session]]", killed.size()) + 1) == std::string::npos);
    Provenance(scratch.path(), false).write(session);
    CHECK(testing::slurp(scratch / kProvenanceFile).size() < both.size());
    CHECK_FALSE(processor_name().empty());
}

}  // namespace emergence
