#!/bin/sh
# The main job in miniature: a toy language pair, rough drafts of it, networks that learn from them, errors found.
# Shows every command before it runs it. Writes below ./demo, anew each time.
set -eu

run() {
    printf '\n$ %s\n' "$*"
    "$@"
}

rm -rf demo
run redraft toy --pairs 20000 --seed 1 --output demo/toy
printf '\n$ head -3 demo/toy/train.de demo/toy/train.en\n'
head -3 demo/toy/train.de demo/toy/train.en

# What it consists of.
run redraft prepare --source demo/toy/train.de --reference demo/toy/train.en --output demo/prepared

# Drafts word by word, each by a dictionary that has not seen the sentence; the test set's by the whole dictionary.
run redraft jackknife --drafter dictionary --folds 3 --source demo/toy/train.de --reference demo/toy/train.en \
    --also demo/toy/test.de --output demo/drafts
run redraft evaluate --draft demo/drafts/test.draft --reference demo/toy/test.en --setting paper

# F needs parallel text only; the detector and F_dual learn from drafts too. Small sizes, under a minute each.
small="--state 128 --hidden 128 --embedding 64 --budget 4096 --steps 400 --warm-up 30 --validate-every 100 --rate 0.005"
# shellcheck disable=SC2086
run redraft train --source demo/toy/train.de --reference demo/toy/train.en --output demo/single $small
# shellcheck disable=SC2086
run redraft train --source demo/toy/train.de --draft demo/drafts/train.draft --reference demo/toy/train.en \
    --output demo/dual $small
run redraft model info demo/dual

# Which words of the first ten drafts of the test set are wrong?
head -10 demo/toy/test.de > demo/ten.de
head -10 demo/drafts/test.draft > demo/ten.draft
head -10 demo/toy/test.en > demo/ten.en
run redraft detect --model demo/dual --source demo/ten.de --draft demo/ten.draft --marked
printf '\nThe references:\n'
cat demo/ten.en
printf '\nTry your own: printf "Der Hund schläft .\\tthe dog sleep .\\n" | .venv/bin/redraft detect --model demo/dual --marked\n'
