package dev.bluebell.verbs.command;

import dev.bluebell.hca.Gid;
import dev.bluebell.hca.command.QpCommands.Ads;
import dev.bluebell.hca.structure.View;
import dev.bluebell.verbs.ConnectOptions;
import dev.bluebell.verbs.PathOptions;
import dev.bluebell.verbs.ring.AddressWords;

/**
 * The route to a peer on InfiniBand. Mirrors {@code qp.c: mlx5_set_path} of Linux and {@code
 * verbs.c: mlx5_create_ah}.
 *
 * @param gidIndex entry of the GID table that packets with a global route come from
 * @param pathBits low bits of the LID that packets come from, 7 bits
 * @param lid of the peer, or of a group, 16 bits
 * @param gid of the peer, or of a group; zero when packets have no global route
 */
public record InfiniBandRoute(int gidIndex, int pathBits, int lid, Gid gid) implements Route {

  /**
   * Returns a route, with a global route header only if needed.
   *
   * @param source GID of this port
   * @param gid of the peer; zero when only its LID is known
   * @param lid of the peer, 16 bits
   * @param asked whether packets carry a global route header in any case
   */
  public static InfiniBandRoute of(LocalAddress from, Gid source, Gid gid, int lid, boolean asked) {
    if (asked && gid.equals(Gid.ZERO)) {
      throw new IllegalArgumentException(
          "the endpoint with LID 0x%x has no GID, which a global route needs".formatted(lid));
    }
    boolean global = asked || !gid.equals(Gid.ZERO) && gid.high() != source.high();
    return new InfiniBandRoute(from.gidIndex(), from.pathBits(), lid, global ? gid : Gid.ZERO);
  }

  private boolean isGlobal() {
    return !gid.equals(Gid.ZERO);
  }

  @Override
  public void writeTo(View addressPath, ConnectOptions options) {
    addressPath.set(Ads.RLID, lid).set(Ads.MLID, pathBits).set(Ads.SL, options.serviceLevel());
    if (isGlobal()) {
      addressPath
          .set(Ads.GRH, true)
          .set(Ads.SRC_ADDR_INDEX, gidIndex)
          .setBytes(Ads.RGID_RIP, gid.bytes())
          .set(Ads.HOP_LIMIT, HOP_LIMIT)
          .set(Ads.TCLASS, options.trafficClass());
    }
  }

  @Override
  public AddressWords words(long key, int number, PathOptions options) {
    AddressWords local = AddressWords.infiniBand(key, number, lid, pathBits, options);
    return isGlobal() ? local.global(gid, gidIndex, HOP_LIMIT, options) : local;
  }
}
