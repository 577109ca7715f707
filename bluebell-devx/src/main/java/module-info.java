import dev.bluebell.devx.DevxProvider;
import dev.bluebell.hca.HcaProvider;

/** A real ConnectX: its device file, by calls of the C library. */
module dev.bluebell.devx {
  requires transitive dev.bluebell.hca;
  requires static org.jspecify;

  provides HcaProvider with
      DevxProvider;
}
