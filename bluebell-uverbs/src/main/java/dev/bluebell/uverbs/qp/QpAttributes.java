package dev.bluebell.uverbs.qp;

import static dev.bluebell.uverbs.qp.QpMask.MAX_DEST_RD_ATOMIC;
import static dev.bluebell.uverbs.qp.QpMask.MAX_QP_RD_ATOMIC;
import static dev.bluebell.uverbs.qp.QpMask.MIN_RNR_TIMER;
import static dev.bluebell.uverbs.qp.QpMask.PATH_MTU;
import static dev.bluebell.uverbs.qp.QpMask.PORT;
import static dev.bluebell.uverbs.qp.QpMask.QKEY;
import static dev.bluebell.uverbs.qp.QpMask.RETRY_CNT;
import static dev.bluebell.uverbs.qp.QpMask.RNR_RETRY;

import dev.bluebell.hca.command.PathMtu;
import dev.bluebell.hca.structure.Field;
import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.Mlx5;
import dev.bluebell.hca.uverbs.QpAbi.Mlx5ModifyQp;
import dev.bluebell.hca.uverbs.QpAbi.ModifyQp;
import dev.bluebell.uverbs.call.Refusal;
import dev.bluebell.uverbs.call.WriteCall;
import dev.bluebell.uverbs.session.VportContext;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The attributes of a queue pair that a client changes.
 *
 * @param in {@link ModifyQp}
 * @param driver {@link Mlx5ModifyQp}; no bytes when the client's libmlx5 sends none
 */
record QpAttributes(View in, View driver) {
  private static final int MAX_READS = 16;

  /** Names of the mask's bits, from bit 0, as in C sources; empty for bits without an attribute. */
  private static final List<String> NAMES =
      List.of(
          "IBV_QP_STATE",
          "IBV_QP_CUR_STATE",
          "IBV_QP_EN_SQD_ASYNC_NOTIFY",
          "IBV_QP_ACCESS_FLAGS",
          "IBV_QP_PKEY_INDEX",
          "IBV_QP_PORT",
          "IBV_QP_QKEY",
          "IBV_QP_AV",
          "IBV_QP_PATH_MTU",
          "IBV_QP_TIMEOUT",
          "IBV_QP_RETRY_CNT",
          "IBV_QP_RNR_RETRY",
          "IBV_QP_RQ_PSN",
          "IBV_QP_MAX_QP_RD_ATOMIC",
          "IBV_QP_ALT_PATH",
          "IBV_QP_MIN_RNR_TIMER",
          "IBV_QP_SQ_PSN",
          "IBV_QP_MAX_DEST_RD_ATOMIC",
          "IBV_QP_PATH_MIG_STATE",
          "IBV_QP_CAP",
          "IBV_QP_DEST_QPN");

  /** The attributes of a call. Mirrors {@code mlx5_ib qp.c: mlx5_ib_modify_qp}. */
  static QpAttributes of(WriteCall call) {
    byte[] driver = call.driverIn().bytes();
    int known = Mlx5ModifyQp.STRUCTURE.bytes();
    Refusal.require(
        driver.length == 0 || driver.length >= known,
        Errno.EINVAL,
        "the driver's input of MODIFY_QP has %d bytes, not %d",
        driver.length,
        known);
    boolean isKnown =
        (call.driverIn().getInt(Mlx5ModifyQp.COMP_MASK) & ~Mlx5.IB_MODIFY_QP_OOO_DP) == 0
            && !call.driverIn().isSet(Mlx5ModifyQp.RESERVED);
    for (int i = known; i < driver.length; i++) {
      isKnown &= driver[i] == 0;
    }
    Refusal.require(isKnown, Errno.EOPNOTSUPP, "the driver's input of MODIFY_QP has unknown bits");
    return new QpAttributes(call.in(), call.driverIn());
  }

  /** True when the client allows data to be placed out of order from now on. */
  boolean placesOutOfOrder() {
    return driver.isSet(Mlx5ModifyQp.COMP_MASK);
  }

  /** True for a Q_Key that only privileged clients may use, {@code ib_verbs.h: IB_QP_SET_QKEY}. */
  boolean hasPrivilegedKey() {
    return has(QKEY) && getInt(ModifyQp.QKEY) < 0;
  }

  /** Rejects values that are invalid for every queue pair. */
  void check() {
    Refusal.require(
        !has(PORT) || getInt(ModifyQp.PORT_NUM) == VportContext.PORT,
        Errno.EINVAL,
        "the device has no port %d, only port %d",
        getInt(ModifyQp.PORT_NUM),
        VportContext.PORT);
    Refusal.require(
        (!has(MAX_QP_RD_ATOMIC) || getInt(ModifyQp.MAX_RD_ATOMIC) <= MAX_READS)
            && (!has(MAX_DEST_RD_ATOMIC) || getInt(ModifyQp.MAX_DEST_RD_ATOMIC) <= MAX_READS),
        Errno.EINVAL,
        "a QP can't have more than %d READs and atomics at a time",
        MAX_READS);
    int mtu = getInt(ModifyQp.PATH_MTU);
    Refusal.require(
        !has(PATH_MTU) || mtu >= PathMtu.SMALLEST && mtu <= PathMtu.LARGEST,
        Errno.EINVAL,
        "path_mtu %d is not one of 1 (256 bytes) to 5 (4096)",
        mtu);
  }

  /** The attributes of a mask; bits without a name as numbers. */
  static String names(int mask) {
    return IntStream.range(0, Integer.SIZE)
        .filter(bit -> (mask >>> bit & 1) != 0)
        .mapToObj(bit -> bit < NAMES.size() ? NAMES.get(bit) : "0x%x".formatted(1 << bit))
        .collect(Collectors.joining(", "));
  }

  /** Mask of the attributes that are set. */
  int mask() {
    return getInt(ModifyQp.ATTR_MASK);
  }

  boolean has(int bit) {
    return (mask() & bit) != 0;
  }

  /**
   * Drops attributes that libraries set for all connections, but that one half of an XRC connection
   * does not have. Mirrors {@code ib_uverbs uverbs_cmd.c: modify_qp_mask}.
   */
  QpAttributes of(QpType type) {
    int foreign =
        switch (type) {
          case XRC_INI -> MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER;
          case XRC_TGT -> MAX_QP_RD_ATOMIC | RETRY_CNT | RNR_RETRY;
          case RC, UC, UD, DCI -> 0;
        };
    View kept = View.over(in.bytes().clone()).set(ModifyQp.ATTR_MASK, mask() & ~foreign);
    return new QpAttributes(kept, driver);
  }

  int getInt(Field field) {
    return in.getInt(field);
  }

  /** Writes as many bits of an attribute as a field of the context has, if the attribute is set. */
  void copy(int bit, Field attribute, View context, Field field) {
    if (has(bit)) {
      context.set(field, in.get(attribute) & (1L << field.width()) - 1);
    }
  }

  /** The path to the destination, {@link dev.bluebell.hca.uverbs.QpAbi.QpDest}. */
  View destination() {
    return in.at(ModifyQp.DEST);
  }
}
