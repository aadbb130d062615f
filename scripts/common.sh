# Sourced by the other scripts: the path of the repository, messages, the number of jobs.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
script=${0##*/}

# A precompiled header holds checksums of the headers it was made from, and `#pragma once` compares them. ccache
# must compare these headers too, not the preprocessed text, which is the same after a change of a comment.
export CCACHE_DEPEND=1

if [ -t 1 ]; then bold=$'\e[1m' plain=$'\e[0m'; else bold='' plain=''; fi

say() { printf '%s\n' "${bold}$*${plain}"; }
fail() {
  printf '%s: %s\n' "$script" "$*" >&2
  exit 1
}

# One compiler per processor, and about 1.5 GB of memory per compiler.
jobs() {
  local processors memory
  processors=$(nproc 2>/dev/null || echo 1)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 1500000) }' /proc/meminfo 2>/dev/null || echo 1)
  if [ "${memory:-0}" -lt 1 ]; then memory=1; fi
  echo $((processors < memory ? processors : memory))
}

# has_nvrtc: whether cmake/TropicPrograms.cmake will find NVRTC, in the usual places.
has_nvrtc() {
  local file
  for file in /usr/local/cuda/{lib64,targets/x86_64-linux/lib}/libnvrtc.so* \
    "${CUDA_PATH:-/absent}"/lib64/libnvrtc.so* "${CUDA_HOME:-/absent}"/lib64/libnvrtc.so*; do
    if [ -e "$file" ]; then return 0; fi
  done
  ldconfig -p 2>/dev/null | grep 'libnvrtc\.so\.1[23]' >/dev/null
}

# configure PRESET [OPTION...]: with the compiler cache, if it is installed.
configure() {
  local preset=$1
  shift
  if command -v ccache >/dev/null; then set -- -DCMAKE_CXX_COMPILER_LAUNCHER=ccache "$@"; fi
  local log
  log=$(mktemp)
  if (cd "$root" && cmake --preset "$preset" "$@") >"$log" 2>&1; then
    rm -f "$log"
  else
    cat "$log" >&2
    rm -f "$log"
    fail "cannot configure '$preset'"
  fi
}

# build PRESET [TARGET...]
build() {
  local preset=$1
  shift
  local targets=()
  if [ $# -gt 0 ]; then targets=(--target "$@"); fi
  (cd "$root" && cmake --build --preset "$preset" -j "$(jobs)" "${targets[@]}")
}

# python_with PACKAGE...: makes the virtual environment $venv, with these and with what the Python package is built with.
venv=$root/build/python-venv
python_with() {
  [ -x "$venv/bin/python" ] || python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check 'scikit-build-core>=0.10' 'nanobind>=2.10' numpy "$@"
}

# python_with_optional PACKAGE...: these too, as far as they can be installed.
python_with_optional() {
  local package
  for package in "$@"; do
    "$venv/bin/pip" install -q --disable-pip-version-check "$package" || say "$package cannot be installed" >&2
  done
}

# install_python_package PRESET: builds the Python package on the library of build/PRESET, into that environment.
install_python_package() {
  CMAKE_BUILD_PARALLEL_LEVEL=$(jobs)
  export CMAKE_BUILD_PARALLEL_LEVEL
  if command -v ccache >/dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
  "$venv/bin/pip" install -q --disable-pip-version-check --no-build-isolation --no-deps \
    --force-reinstall --config-settings=cmake.define.TROPIC_BUILT="$root/build/$1" \
    --config-settings=build-dir="${venv%-venv}" --config-settings=install.strip=false "$root"
}

# Generator specifications of the stand-ins for the papers' matrices.
# shellcheck disable=SC2034 # used by scripts that source this
paper_matrices=(paper:{dense,protein,spheres,cantilever,wind_tunnel,harbor,qcd,ship,economics,epidemiology,accelerator,circuit,webbase,lp,asic_680k,boyd2,dc2,ins2,rajat21,transient})
