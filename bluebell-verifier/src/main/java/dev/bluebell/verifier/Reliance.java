package dev.bluebell.verifier;

import java.util.List;
import java.util.Set;

/**
 * What an application relies on, of a chain that has no clients.
 *
 * @param memory names of the regions whose contents it uses at the end; all of them when it is
 *     empty
 * @param flags what it polls, to use other memory then
 */
public record Reliance(Set<String> memory, List<Flag> flags) {
  /** It uses all memory when the chain has come to rest. */
  public static final Reliance ALL = new Reliance(Set.of(), List.of());

  /**
   * Memory that it polls.
   *
   * @param flag name of the region that it polls until its contents change
   * @param data name of the region that must hold its last contents then
   */
  public record Flag(String flag, String data) {}

  /** Copies the collections. */
  public Reliance {
    memory = Set.copyOf(memory);
    flags = List.copyOf(flags);
  }

  /** True when the contents of a region at the end matter. */
  boolean uses(String region) {
    return memory.isEmpty() || memory.contains(region);
  }
}
