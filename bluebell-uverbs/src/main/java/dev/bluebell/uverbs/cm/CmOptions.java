package dev.bluebell.uverbs.cm;

import dev.bluebell.hca.structure.View;
import dev.bluebell.hca.uverbs.CmAbi.PathRecData;
import dev.bluebell.hca.uverbs.CmAbi.SetOption;
import dev.bluebell.hca.uverbs.Errno;
import dev.bluebell.hca.uverbs.RdmaCm;
import dev.bluebell.uverbs.call.Refusal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;

/** The command that sets options of an id. Mirrors {@code ucma.c: ucma_set_option}. */
final class CmOptions {
  private static final int MOST_BYTES = 1 << 12;

  private CmOptions() {}

  static void set(CmCall call) {
    long bytes = call.in().get(SetOption.OPTLEN);
    Refusal.require(bytes <= MOST_BYTES, Errno.EINVAL, "an option of %d bytes is too long", bytes);
    byte[] value = call.session().memory().read(call.in().get(SetOption.OPTVAL), (int) bytes);
    Consumer<CmId> setter = setter(call.get(SetOption.LEVEL), call.get(SetOption.OPTNAME), value);
    call.run(SetOption.ID, setter);
  }

  private static Consumer<CmId> setter(int level, int name, byte[] value) {
    if (level == RdmaCm.OPTION_ID) {
      switch (name) {
        case RdmaCm.OPTION_ID_TOS -> {
          int trafficClass = number(value, Byte.BYTES);
          return id -> id.addressing().setTrafficClass(trafficClass);
        }
        case RdmaCm.OPTION_ID_REUSEADDR -> {
          boolean reuses = number(value, Integer.BYTES) != 0;
          return id -> id.setReusesAddress(reuses);
        }
        case RdmaCm.OPTION_ID_AFONLY -> {
          boolean only = number(value, Integer.BYTES) != 0;
          return id -> id.setForOneFamily(only);
        }
        case RdmaCm.OPTION_ID_ACK_TIMEOUT -> {
          int timeout = number(value, Byte.BYTES);
          return id -> id.setAcknowledgement(timeout);
        }
        default -> {}
      }
    } else if (level == RdmaCm.OPTION_IB && name == RdmaCm.OPTION_IB_PATH) {
      requirePath(value);
      return CmId::resolveRoute;
    }
    throw new Refusal(Errno.ENOSYS, "option %d of level %d is unknown".formatted(name, level));
  }

  private static int number(byte[] value, int bytes) {
    Refusal.require(
        value.length == bytes,
        Errno.EINVAL,
        "the option has %d bytes, not %d",
        bytes,
        value.length);
    return bytes == Byte.BYTES
        ? value[0] & 0xff
        : ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  // The path is only checked: the device uses the one that it resolves itself.
  private static void requirePath(byte[] value) {
    int each = PathRecData.STRUCTURE.bytes();
    boolean found = false;
    for (int at = 0; value.length % each == 0 && at < value.length; at += each) {
      found |= View.over(value).at(at).getInt(PathRecData.FLAGS) == CmQueries.PATH_FLAGS;
    }
    Refusal.require(found, Errno.EINVAL, "%d bytes hold no primary path", value.length);
  }
}
