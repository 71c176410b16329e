#include "core/base/rng.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>

using namespace emergence;

TEST_CASE("streams are Philox4x32-10: the published vector for zero key and counter") {
    // Random123's kat_vectors: philox4x32 10 rounds, all zero -> 6627e8d5 e169c58d bc57ac4c 9b00dbd8.
    Stream stream(0, static_cast<Purpose>(0), 0, 0);
    CHECK(stream.bits() == 0x6627e8d5U);
    CHECK(stream.bits() == 0xe169c58dU);
    CHECK(stream.bits() == 0xbc57ac4cU);
    CHECK(stream.bits() == 0x9b00dbd8U);
}

TEST_CASE("a stream depends on each part of its name and on nothing else") {
    std::set<uint32_t> first;
    for (uint64_t seed : {0ULL, 1ULL, 1ULL << 40})
        for (Purpose purpose : {Purpose::features, Purpose::reward})
            for (uint32_t index : {0U, 7U})
                for (uint32_t sub : {0U, 3U}) first.insert(Stream(seed, purpose, index, sub).bits());
    CHECK(first.size() == 24);
    CHECK(Stream(5, Purpose::reward, 2, 1).bits() == Stream(5, Purpose::reward, 2, 1).bits());
}

TEST_CASE("uniform lies inside (0, 1) with the right mean and variance, normal has mean 0 and variance 1") {
    Stream stream(3, Purpose::testing);
    const int count = 200000;
    double u1 = 0, u2 = 0, n1 = 0, n2 = 0, lowest = 1, highest = 0;
    for (int i = 0; i < count; ++i) {
        const double u = stream.uniform(), n = stream.normal();
        lowest = std::min(lowest, u);
        highest = std::max(highest, u);
        u1 += u;
        u2 += u * u;
        n1 += n;
        n2 += n * n;
    }
    CHECK(lowest > 0);
    CHECK(highest < 1);
    // Four standard errors of each estimate.
    CHECK(std::abs(u1 / count - 0.5) < 4 * std::sqrt(1.0 / 12 / count));
    CHECK(std::abs(u2 / count - 1.0 / 3) < 4 * std::sqrt(4.0 / 45 / count));
    CHECK(std::abs(n1 / count) < 4 / std::sqrt(count));
    CHECK(std::abs(n2 / count - 1) < 4 * std::sqrt(2.0 / count));
}
