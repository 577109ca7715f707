package dev.bluebell.verbs.command;

import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.ring.AddressWords;

/** The route from a port to a peer, specific to its link layer. */
public sealed interface Route permits EthernetRoute, InfiniBandRoute {

  /** Default hop limit of packets with a global route header. */
  int HOP_LIMIT = 64;

  /** Writes the route into the address path of a connection, {@link Ads}. */
  public void writeTo(View addressPath, ConnectOptions options);

  /**
   * Returns the route as the address vector of a request.
   *
   * @param key queue key in the upper half, or access key
   * @param number of the queue pair or target there, 24 bits
   */
  public AddressWords words(long key, int number, PathOptions options);
}
