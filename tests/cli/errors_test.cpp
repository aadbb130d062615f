// SPDX-License-Identifier: Apache-2.0

// Usage errors end with exit code 2 and one line that states what was found and what was expected.

#include <sys/resource.h>
#include <sys/wait.h>

#include "program.hpp"

namespace cli_tests {
namespace {

class Errors : public Program {
 protected:
  Errors() {
    write("square.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.5\n2 3 2\n");
    write("wide.mtx", "%%MatrixMarket matrix coordinate real general\n3 4 2\n1 2 1.5\n2 3 2\n");
    write("nan.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 1.5\n2 3 nan\n");
    write("twice.mtx",
          "%%MatrixMarket matrix coordinate real general\n3 3 3\n1 2 1\n2 3 2\n1 2 3\n");
    write("cycle.mtx",
          "%%MatrixMarket matrix coordinate integer general\n3 3 3\n1 2 1\n2 3 -5\n3 1 2\n");
    write("empty.mtx", "");
    write("binary.mtx", std::string("\x7f"
                                    "ELF\0\1\2\xff",
                                    8));
    write("noending", "1 2\n");
  }
};

TEST_F(Errors, InvalidArgumentsAreNamed) {
  expect_refused("tropic bsf square.mtx", "'bsf'; did you mean 'bfs'?");
  expect_refused("tropic frobnicate", "one of bfs");
  expect_refused("tropic bfs", "found no FILE");
  expect_refused("tropic bfs square.mtx --sorce 1", "expected --source");
  expect_refused("tropic bfs square.mtx other.mtx", "'other.mtx'");
  expect_refused("tropic bfs square.mtx --source one", "--source: found 'one'");
  expect_refused("tropic bfs square.mtx --source",
                 "bfs: found --source without a value, expected --source V");
  expect_refused("tropic bfs square.mtx --source 1 --source 2",
                 "bfs: found --source 2 times, expected it once");
  expect_refused("tropic bfs square.mtx --trials 0",
                 "--trials: found '0', expected a whole number from 1");
  expect_refused("tropic bfs square.mtx --trials 99999999999999999999", "--trials");
  expect_refused("tropic bfs square.mtx --threads -1", "--threads");
  expect_refused("tropic sssp square.mtx --delta=-1",
                 "--delta: found '-1', expected a number from 0");
  expect_refused("tropic sssp square.mtx --type int7", "--type: found 'int7'");
  expect_refused("tropic sssp square.mtx --type bool", "--type: found 'bool'");
  expect_refused("tropic sssp square.mtx --duplicates some", "--duplicates: found 'some'");
  expect_refused("tropic sssp square.mtx --memory-limit lots", "--memory-limit: found 'lots'");
  expect_refused("tropic pagerank square.mtx --damping 1.5",
                 "--damping: found '1.5', expected a number from 0 to 1");
  expect_refused("tropic pagerank square.mtx --iterations 3 --tolerance 1",
                 "pagerank: found --tolerance beside --iterations, expected only one of them");
  expect_refused("tropic spmv square.mtx --semiring min_plu", "min_plus");
  expect_refused("tropic spmv square.mtx --kernel fastest", "pull");
  expect_refused("tropic spmv square.mtx --add x", "together");
  expect_refused(
      "tropic spmv square.mtx --semiring or_and --type fp32 --add x --identity 0 --multiply y",
      "--semiring");
  std::string benchmarks;
  for (const std::string& command : commands("bench"))
    benchmarks += (benchmarks.empty() ? "" : ", ") + command;
  expect_refused("tropic bench tuna square.mtx",
                 "bench: found 'tuna', expected one of " + benchmarks);
  for (const std::string& bench : graph_benchmarks()) {
    expect_refused("tropic " + bench, bench + ": found no FILE");
    expect_refused("tropic " + bench + " square.mtx --verify", "the unknown option '--verify'");
    expect_refused("tropic " + bench + " square.mtx --device gpu", "gpu");
  }
  expect_refused("tropic bench bfs square.mtx --sources 0",
                 "--sources: found '0', expected a whole number from 1");
  expect_refused("tropic bench bfs square.mtx --seed -1", "--seed: found '-1'");
  expect_refused("tropic bench pagerank square.mtx --trials 0", "--trials: found '0'");
  expect_refused("tropic bench pagerank square.mtx --sources 1", "--sources");
  expect_refused("tropic bench triangles square.mtx --from square.mtx", "--from");
  expect_refused("tropic bench betweenness square.mtx --sources 4", "--sources");
  expect_refused("tropic bench sssp square.mtx --type bool", "--type: found 'bool'");
  expect_refused("tropic bench tune", "bench tune: found no FILE");
  expect_refused("tropic bench tune square.mtx --round 1", "expected --rounds");
  expect_refused("tropic bench tune square.mtx --device cpu", "--device: found cpu");
  expect_refused("tropic bfs square.mtx --output - --json", "standard output");
  expect_refused("tropic bfs square.mtx --output missing/folder/x",
                 "missing/folder/x: cannot write");
  expect_refused("tropic bfs square.mtx --output .", "a directory");
  expect_refused("tropic generate kron 5 out.xyz", "out.xyz");
  expect_refused("tropic generate ring 5 out.mtx", "'ring'");
  expect_refused("tropic generate kron five out.mtx", "SCALE: found 'five'");
  expect_refused("tropic convert square.mtx out", "out");
  expect_refused("tropic bfs kron:x", "kron:x: found 'x'");
}

TEST_F(Errors, EmptyValuesOfOptionsAreRefused) {
  for (const char* line :
       {"bfs square.mtx --output", "bfs square.mtx --output-parents", "sssp square.mtx --output",
        "sssp square.mtx --output-parents", "pagerank square.mtx --output",
        "pagerank square.mtx --personalize", "explain square.mtx --picture",
        "spmv square.mtx --kernel", "spmv square.mtx --semiring", "spmv square.mtx --add",
        "spmv square.mtx --identity", "spmv square.mtx --multiply",
        "bench tune square.mtx --kernel", "bfs square.mtx --device", "bfs square.mtx --source",
        "bfs square.mtx --permute", "bfs square.mtx --memory-limit", "bfs square.mtx --format",
        "bfs square.mtx --separator"}) {
    const std::string option = std::string(line).substr(std::string(line).rfind("--"));
    expect_refused("tropic " + std::string(line) + " ''", option.substr(2));
    expect_refused("unset nothing; tropic " + std::string(line) + " \"$nothing\"", "''");
    expect_refused("tropic " + std::string(line) + "=", option);
  }
  expect_refused("tropic info ''", "FILE: found ''");
  expect_refused("tropic convert square.mtx ''", "OUT: found ''");
  expect_refused("tropic convert '' out.mtx", "IN: found ''");
  expect_refused("tropic generate grid 3 ''", "ARGUMENTS: found ''");
}

TEST_F(Errors, FlagsWithValuesAreRefused) {
  for (const char* flag : {"--quiet=5", "--json=no", "--verify=false", "--undirected=true",
                           "--names=1", "--quiet=true", "--quiet=", "--json={}", "--help=1"})
    expect_refused(std::string("tropic bfs square.mtx ") + flag,
                   std::string(flag).substr(0, std::string(flag).find('=')) + ": found '");
  expect_refused("tropic --version=2", "--version: found '2', expected no value");
  expect_refused("tropic bench bfs square.mtx --quiet=no",
                 "--quiet: found 'no', expected no value");
}

TEST_F(Errors, ASmallStackIsReported) {
  expect_refused("(ulimit -s 128; tropic bfs square.mtx)",
                 "found a stack of 128 KiB, expected at least 256 (ulimit -s)");
  // Stacks of the main thread and of OpenMP's threads, with and without the program restarting
  // itself.
  for (const char* policy : {"", "OMP_WAIT_POLICY=passive "}) {
    const outcome soft =
        run("(ulimit -S -s 96; " + std::string(policy) + "tropic sssp kron:12 --verify)");
    EXPECT_EQ(soft.exit_code, 0) << policy << soft.err;
  }
}

TEST_F(Errors, OfFilesNameTheFileAndWhatWasFound) {
  expect_refused("tropic bfs missing.mtx", "missing.mtx: found no such file");
  expect_refused("tropic bfs .", "found a directory");
  expect_refused("tropic info empty.mtx", "empty.mtx");
  expect_refused("tropic info binary.mtx", "binary.mtx:1: ");
  expect_refused("tropic info noending", "noending");
  for (const std::string& command : joined(graph_commands(), graph_benchmarks())) {
    expect_refused("tropic " + command + " wide.mtx", "wide.mtx: found a 3x4 matrix");
    expect_refused("tropic " + command + " none.mtx", "none.mtx: found no such file");
  }
  write("bare.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 0\n");
  expect_refused("tropic bench bfs bare.mtx", "bare.mtx: found a graph without edges");
  expect_refused("tropic bench sssp bare.mtx", "bare.mtx: found a graph without edges");
  expect_refused("tropic bench sssp cycle.mtx --quiet", "cycle.mtx: found a cycle of negative");
  expect_refused("tropic bfs square.mtx --source 3",
                 "--source: found 3, expected a vertex of square.mtx, which has 0 to 2");
  expect_refused("tropic bfs square.mtx --source -1", "--source: found -1");
  expect_refused("tropic sssp nan.mtx", "nan.mtx:4: found nan");
  expect_refused("tropic pagerank nan.mtx --weighted", "nan.mtx:4: found nan");
  // Found during the work: the notice of the device comes before it.
  expect_refused("tropic sssp cycle.mtx --quiet",
                 "cycle.mtx: found a cycle of negative length through vertex ");
  write("minus.mtx", "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 2 1\n2 1 -3\n");
  expect_refused("tropic pagerank minus.mtx --weighted", "minus.mtx:4: found -3");
  expect_refused("tropic sssp twice.mtx --duplicates error",
                 "twice.mtx:5: found a second entry for the position in line 3");
  expect_refused("tropic bfs twice.mtx --duplicates error", "twice.mtx:5: ");
  expect_refused("tropic convert twice.mtx out.mtx --duplicates error", "twice.mtx:5: ");
  expect_refused("tropic pagerank square.mtx --personalize missing.txt",
                 "missing.txt: found no such file");
  write("seeds.txt", "0 1\n7 1\n");
  expect_refused("tropic pagerank square.mtx --personalize seeds.txt", "seeds.txt:2: found '7'");
  EXPECT_TRUE(
      unexpected_files({"square.mtx", "wide.mtx", "nan.mtx", "twice.mtx", "cycle.mtx", "empty.mtx",
                        "binary.mtx", "noending", "seeds.txt", "minus.mtx", "bare.mtx"})
          .empty());
}

TEST_F(Errors, AMemoryLimitOfZeroIsNone) {
  expect_refused("tropic sssp square.mtx --memory-limit 10", "bytes required");
  EXPECT_EQ(run("tropic sssp square.mtx --memory-limit 0").exit_code, 0);
}

TEST_F(Errors, FilesBeyondTheMemoryLimitAreNamedWithBytesAndLimit) {
  ASSERT_EQ(run("head -c 10000000 /dev/zero | gzip -9 > once && for i in $(seq 30); do cat once; "
                "done > bomb.el.gz")
                .exit_code,
            0);
  expect_refused("tropic info bomb.el.gz", "bomb.el.gz: found ");
  expect_refused("tropic info bomb.el.gz", "expected at most 800 to 1 (a larger --unpack-ratio");
  expect_refused("tropic info bomb.el.gz --unpack-ratio many", "--unpack-ratio: found 'many'");
  for (const char* command : {"info", "bfs", "spmv", "convert"}) {
    const std::string to = command == std::string("convert") ? " out.el" : "";
    expect_refused(std::string("tropic ") + command + " bomb.el.gz" + to +
                       " --memory-limit 50M --unpack-ratio 0",
                   "bomb.el.gz: unpacking within the memory limit of 52428800 bytes: ");
  }
  write("bigid.el", "0 4294967295\n");
  expect_refused("tropic info bigid.el --memory-limit 1G",
                 "bigid.el: the 4294967296x4294967296 matrix of 1 entry within the memory limit of "
                 "1073741824 bytes: 103079215140 bytes required, ");
  write("hyper.mtx",
        "%%MatrixMarket matrix coordinate real general\n9 2147483647 2\n1 1 1\n9 2147483647 5\n");
  ASSERT_EQ(run("tropic convert hyper.mtx hyper.tropic --memory-limit 1M").exit_code, 0);
  for (const char* command : {"info", "spmv", "explain"})
    for (const char* file : {"hyper.tropic", "hyper.mtx"})
      expect_refused(std::string("tropic ") + command + " " + file + " --memory-limit 1G",
                     std::string(file) +
                         ": vectors over the rows and columns of a 9x2147483647 matrix within the "
                         "memory limit of 1073741824 bytes: 17179869248 bytes required, ");
  EXPECT_TRUE(unexpected_files({"once", "bomb.el.gz", "bigid.el", "hyper.mtx", "hyper.tropic",
                                "square.mtx", "wide.mtx", "nan.mtx", "twice.mtx", "cycle.mtx",
                                "empty.mtx", "binary.mtx", "noending"})
                  .empty());
}

// As counted by the kernel, not by the program.
TEST_F(Errors, OfUnpackingComeBeforeTheMemoryIsTaken) {
  ASSERT_EQ(run("head -c 10000000 /dev/zero | gzip -9 > once && for i in $(seq 30); do cat once; "
                "done > bomb.el.gz")
                .exit_code,
            0);
  write("small.el", "0 1\n");
  const auto peak_of = [&](const std::vector<std::string>& arguments, int expected) {
    const int child = start(arguments);
    int status = 0;
    struct rusage used {};
    EXPECT_EQ(::wait4(child, &status, 0, &used), child);
    EXPECT_EQ(WIFEXITED(status) ? WEXITSTATUS(status) : -1, expected);
#ifdef __SANITIZE_ADDRESS__
    return 0L;  // it keeps freed memory: only the exit codes are those of the program
#else
    return used.ru_maxrss / 1024;  // mebibytes
#endif
  };
  const long base = peak_of({"info", "small.el", "--quiet"}, 0);
  EXPECT_LE(peak_of({"info", "bomb.el.gz", "--memory-limit", "50M", "--unpack-ratio", "0"}, 2),
            base + 50 + 10);
  EXPECT_LE(peak_of({"info", "bomb.el.gz"}, 2), base + 64 + 10);
  ASSERT_EQ(run("yes a, | head -n 10000000 | tr -d '\\n' | gzip > wide.csv.gz").exit_code, 0);
  EXPECT_LE(peak_of({"info", "wide.csv.gz", "--memory-limit", "30M"}, 2), base + 30 + 10);
  ASSERT_EQ(run("seq 1000000 | sed 's/.*/name&,to&/' | gzip > names.csv.gz").exit_code, 0);
  EXPECT_LE(
      peak_of({"info", "names.csv.gz", "--names", "--header", "no", "--memory-limit", "60M"}, 2),
      base + 60 + 40);  // malloc keeps memory of tables that have grown
}

TEST_F(Errors, OfDevicesNameTheDevice) {
  expect_refused("tropic bfs square.mtx --device gpu", "gpu");
  expect_refused("tropic bfs square.mtx --device cpu:x", "cpu:x");
  const outcome devices = run("tropic devices");
  if (devices.out.find("cuda:0     not available") != std::string::npos)
    expect_refused("tropic bfs square.mtx --device cuda", "cuda");
}

TEST_F(Errors, OfExpressionsPointAtThePlace) {
  const outcome found =
      run("tropic spmv square.mtx --type fp64 --add 't_min(x, y)' --identity t_inf --multiply 'x + "
          "* y'");
  EXPECT_EQ(found.exit_code, 2);
  const std::vector<std::string> lines = lines_of(found.err);
  ASSERT_EQ(lines.size(), 3U) << found.err;
  EXPECT_TRUE(lines[0].starts_with("tropic: --multiply: ")) << lines[0];
  EXPECT_NE(lines[1].find("x + * y"), std::string::npos);
  EXPECT_EQ(lines[2].find('^'), lines[1].find('*')) << found.err;
}

TEST_F(Errors, OfMangledFilesNameTheLine) {
  NEEDS_SHARED_DATA();
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(shared_file("reference/lagraph"))) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("mangled")) continue;
    ++count;
    const std::string command = "tropic info '" + entry.path().string() + "'";
    if (name == "mangled14.mtx") {  // repeated entries are summed unless they are rejected
      EXPECT_EQ(run(command).exit_code, 0);
      expect_refused(command + " --duplicates error", name + ":8: ");
      continue;
    }
    expect_refused(command, name + ":");
  }
  EXPECT_GE(count, 16);
}

TEST_F(Errors, OfAFullDiskAreReportedAndAClosedPipeIsNot) {
  const outcome full = run("tropic info kron:5 > /dev/full");
  EXPECT_EQ(full.exit_code, 2);
  EXPECT_NE(full.err.find("standard output: cannot write"), std::string::npos) << full.err;
  const outcome closed = run("set -o pipefail; tropic bfs kron:14 --quiet --output - | head -1");
  EXPECT_EQ(closed.exit_code, 0) << closed.err;
  EXPECT_EQ(closed.err, "");
  EXPECT_EQ(lines_of(closed.out).size(), 1U);
}

}  // namespace
}  // namespace cli_tests
