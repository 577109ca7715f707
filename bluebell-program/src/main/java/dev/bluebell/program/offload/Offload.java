package dev.bluebell.program.offload;

import java.util.Random;
import java.util.function.Function;

/**
 * A service that runs as a NIC program.
 *
 * @param name what commands call it
 * @param sentence what it does
 * @param examples draws what is in its memory, and a call
 */
public record Offload(String name, String sentence, Function<Random, Example> examples) {
  /** An example, the same for the same seed. */
  public Example example(long seed) {
    return examples.apply(new Random(seed));
  }
}
