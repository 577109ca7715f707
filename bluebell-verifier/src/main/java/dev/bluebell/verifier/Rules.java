package dev.bluebell.verifier;

/**
 * Rules of the device that a program is verified for. The fixed rules are in {@code
 * docs/machine-model.md}, "NIC programs".
 *
 * @param fencedEnables true when a fence delays a SEND_EN like any other request, which other
 *     software assumes; false when no fence does, the conservative reading
 * @param checks true when the device compares index and queue number of each entry
 * @param placesInOrder true when the payload of a queue's WRITEs and SENDs is placed in the order
 *     of the requests; false when it may be placed in any order, as with relaxed ordering or
 *     out-of-order placement, until the request completes, or a later READ, atomic or receive of
 *     the queue does; a SEND of one packet is always placed in order
 * @param habits other known behaviour of the device; a program must be correct with {@link
 *     Habits#UNKNOWN}
 */
public record Rules(boolean fencedEnables, boolean checks, boolean placesInOrder, Habits habits) {
  /** No fence delays a SEND_EN, and entries are checked: the rules of every device. */
  public static final Rules CONSERVATIVE = new Rules(false, true);

  /** A fence delays a SEND_EN, and entries are checked. */
  public static final Rules ASSUMED = new Rules(true, true);

  /** Rules for a device without known habits. */
  public Rules(boolean fencedEnables, boolean checks) {
    this(fencedEnables, checks, true, Habits.UNKNOWN);
  }

  /** The same rules on a device with some habits. */
  public Rules with(Habits known) {
    return new Rules(fencedEnables, checks, placesInOrder, known);
  }

  /** The same rules on a device whose checks of entries are switched off. */
  public Rules unchecked() {
    return new Rules(fencedEnables, false, placesInOrder, habits);
  }

  /** The same rules, with payload placed in any order. */
  public Rules outOfOrder() {
    return new Rules(fencedEnables, checks, false, habits);
  }
}
