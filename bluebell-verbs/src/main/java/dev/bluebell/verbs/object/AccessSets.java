package dev.bluebell.verbs.object;

import dev.bluebell.verbs.Access;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/** Conversions of lists of rights. */
public final class AccessSets {
  private AccessSets() {}

  /**
   * The rights of a list.
   *
   * @throws IllegalArgumentException when it has one twice
   */
  public static Set<Access> of(Access... access) {
    Objects.requireNonNull(access, "the list of access rights is null");
    Set<Access> set = EnumSet.noneOf(Access.class);
    set.addAll(Set.of(access));
    return set;
  }

  /** The bits of {@link dev.bluebell.hca.HcaAccess}. */
  public static int bits(Set<Access> access) {
    int bits = 0;
    for (Access right : access) {
      bits |= right.bit();
    }
    return bits;
  }
}
