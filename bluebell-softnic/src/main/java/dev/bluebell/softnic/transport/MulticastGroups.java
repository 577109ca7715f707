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
 * Which queue pairs of datagrams belong to which groups of receivers. Owned by the thread that runs
 * the engine.
 */
public final class MulticastGroups {
  /** Groups at most, as a logarithm. */
  public static final int LOG_MOST = 12;

  /** Groups of one queue pair at most. */
  public static final int MOST_OF_ONE = 64;

  private final Map<Gid, List<QueuePair>> members = new HashMap<>();

  // Datagrams come in trains to one group.
  private Gid known = Gid.ZERO;
  private List<QueuePair> knownMembers = List.of();

  /**
   * Lets a queue pair receive what is sent to a group; once, however often it is asked for.
   *
   * @return why it can't be; empty when it was done
   */
  public String attach(Gid group, QueuePair member) {
    if (member.service() != ServiceType.UD) {
      return "QP 0x%x is of service %s (st), and only queue pairs of UD receive from a group"
          .formatted(member.number(), member.service());
    }
    List<QueuePair> found = members.getOrDefault(group, List.of());
    if (found.contains(member)) {
      return "";
    }
    if (found.size() == Multicast.MOST_MEMBERS) {
      return "group %s has %d queue pairs, the most that one can have (max_qp_mcg)"
          .formatted(group, Multicast.MOST_MEMBERS);
    }
    if (found.isEmpty() && members.size() == 1 << LOG_MOST) {
      return "all %d groups are in use (log_max_mcg)".formatted(1 << LOG_MOST);
    }
    if (count(member) == MOST_OF_ONE) {
      return "QP 0x%x is in %d groups, the most that one can be in"
          .formatted(member.number(), MOST_OF_ONE);
    }
    List<QueuePair> now = new ArrayList<>(found);
    now.add(member);
    members.put(group, List.copyOf(now));
    forgetKnown();
    return "";
  }

  /**
   * Why one of the processes that share the device must leave a place to others; empty when it need
   * not. A process takes its first place wherever one is free, and of the others as many as stay
   * free.
   */
  public String whyNoShare(Gid group, QueuePair member) {
    List<QueuePair> found = members.getOrDefault(group, List.of());
    Client process = member.owner();
    long own = found.stream().filter(other -> other.owner() == process).count();
    if (!found.contains(member) && own > 0 && own + 1 > Multicast.MOST_MEMBERS - found.size() - 1) {
      return "the client process has %d of the %d places of group %s, of which %d are free, and may have no more than stay free for others"
          .formatted(own, Multicast.MOST_MEMBERS, group, Multicast.MOST_MEMBERS - found.size());
    }
    long ownGroups =
        members.values().stream()
            .filter(of -> of.stream().anyMatch(other -> other.owner() == process))
            .count();
    int free = (1 << LOG_MOST) - members.size();
    if (found.isEmpty() && ownGroups > 0 && ownGroups + 1 > free - 1) {
      return "the client process is in %d of the %d groups, of which %d are free, and may begin no more than stay free for others"
          .formatted(ownGroups, 1 << LOG_MOST, free);
    }
    return "";
  }

  private long count(QueuePair member) {
    return members.values().stream().filter(of -> of.contains(member)).count();
  }

  /** Ends what {@link #attach} began; false when the queue pair is not in the group. */
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

  /** Takes a queue pair that ends out of all groups. */
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
