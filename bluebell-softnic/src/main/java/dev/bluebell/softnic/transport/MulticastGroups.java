package dev.bluebell.softnic.transport;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.wqe.ServiceType;
import dev.bluebell.softnic.engine.Client;
import dev.bluebell.softnic.packet.Packet;
import dev.bluebell.softnic.port.Multicast;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The members of each multicast group: queue pairs of UD. Owned by the thread that runs the engine.
 */
public final class MulticastGroups {
  /** Logarithm of the most groups. */
  public static final int LOG_MOST = 12;

  /** Most groups of one queue pair. */
  public static final int MOST_OF_ONE = 64;

  private final Map<Gid, List<QueuePair>> members = new HashMap<>();

  // Datagrams come in trains to one group.
  private Gid known = Gid.ZERO;
  private List<QueuePair> knownMembers = List.of();

  /**
   * Adds a queue pair to a group; has no effect if it is a member already.
   *
   * @return why this is impossible; empty when it was done
   */
  public String attach(Gid group, QueuePair member) {
    if (member.service() != ServiceType.UD) {
      return "QP 0x%x is of service %s (st), but only UD queue pairs receive from a group"
          .formatted(member.number(), member.service());
    }
    List<QueuePair> found = members.getOrDefault(group, List.of());
    if (found.contains(member)) {
      return "";
    }
    if (found.size() == Multicast.MOST_MEMBERS) {
      return "group %s already has %d queue pairs, the maximum (max_qp_mcg)"
          .formatted(group, Multicast.MOST_MEMBERS);
    }
    if (found.isEmpty() && members.size() == 1 << LOG_MOST) {
      return "all %d groups are in use (log_max_mcg)".formatted(1 << LOG_MOST);
    }
    if (count(member) == MOST_OF_ONE) {
      return "QP 0x%x is already in %d groups, the maximum".formatted(member.number(), MOST_OF_ONE);
    }
    List<QueuePair> now = new ArrayList<>(found);
    now.add(member);
    members.put(group, List.copyOf(now));
    forgetKnown();
    return "";
  }

  /**
   * Says why the client process must leave places to the other processes that share the device;
   * empty when it need not. A process may take its first place wherever one is free, and further
   * ones only if at least as many stay free as it then has.
   */
  public String whyNoShare(Gid group, QueuePair member) {
    List<QueuePair> found = members.getOrDefault(group, List.of());
    Client process = member.owner();
    long own = found.stream().filter(other -> other.owner() == process).count();
    if (!found.contains(member) && own > 0 && own + 1 > Multicast.MOST_MEMBERS - found.size() - 1) {
      return "the client process has %d of the %d places in group %s; %d are free, and it may not take more than remain free for others"
          .formatted(own, Multicast.MOST_MEMBERS, group, Multicast.MOST_MEMBERS - found.size());
    }
    long ownGroups =
        members.values().stream()
            .filter(of -> of.stream().anyMatch(other -> other.owner() == process))
            .count();
    int free = (1 << LOG_MOST) - members.size();
    if (found.isEmpty() && ownGroups > 0 && ownGroups + 1 > free - 1) {
      return "the client process is in %d of the %d groups; %d are free, and it may not begin more than remain free for others"
          .formatted(ownGroups, 1 << LOG_MOST, free);
    }
    return "";
  }

  private long count(QueuePair member) {
    return members.values().stream().filter(of -> of.contains(member)).count();
  }

  /** Undoes {@link #attach}; false when the queue pair is not in the group. */
  public boolean detach(Gid group, QueuePair member) {
    List<QueuePair> found = members.getOrDefault(group, List.of());
    if (!found.contains(member)) {
      return false;
    }
    List<QueuePair> now = new ArrayList<>(found);
    now.remove(member);
    if (now.isEmpty()) {
      members.remove(group);
    } else {
      members.put(group, List.copyOf(now));
    }
    forgetKnown();
    return true;
  }

  /** Removes a destroyed queue pair from all groups. */
  public void remove(QueuePair member) {
    if (member.service() == ServiceType.UD) {
      List.copyOf(members.keySet()).forEach(group -> detach(group, member));
    }
  }

  private void forgetKnown() {
    known = Gid.ZERO;
    knownMembers = List.of();
  }

  /** The queue pairs of the group that a datagram goes to. */
  public List<QueuePair> of(Packet datagram) {
    if (datagram.destinationGidLow != known.low() || datagram.destinationGidHigh != known.high()) {
      known = new Gid(datagram.destinationGidHigh, datagram.destinationGidLow);
      knownMembers = members.getOrDefault(known, List.of());
    }
    return knownMembers;
  }
}
