package dev.bluebell.verifier;

import java.util.List;
import java.util.Set;

/**
 * Results that an application uses, of a chain without clients.
 *
 * @param memory names of the regions whose contents it uses at the end; all of them when it is
 *     empty
 * @param flags flags that it polls before it uses other memory
 */
public record Reliance(Set<String> memory, List<Flag> flags) {
  /** The application uses all memory after the chain has come to rest. */
  public static final Reliance ALL = new Reliance(Set.of(), List.of());

  /**
   * Memory that the application polls.
   *
   * @param flag name of the region that it polls until its contents change
   * @param data name of the region that must have its final contents when the flag changes
   */
  public record Flag(String flag, String data) {}

  /** Copies the collections. */
  public Reliance {
    memory = Set.copyOf(memory);
    flags = List.copyOf(flags);
  }

  /** True when the application uses the final contents of a region. */
  boolean uses(String region) {
    return memory.isEmpty() || memory.contains(region);
  }
}
