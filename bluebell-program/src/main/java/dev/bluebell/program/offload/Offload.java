package dev.bluebell.program.offload;

import java.util.Random;
import java.util.function.Function;

/**
 * A service that runs as a NIC program.
 *
 * @param name its name in commands
 * @param sentence its purpose
 * @param examples draws random memory contents and a call
 */
public record Offload(String name, String sentence, Function<Random, Example> examples) {
  /** An example, determined by the seed. */
  public Example example(long seed) {
    return examples.apply(new Random(seed));
  }
}
