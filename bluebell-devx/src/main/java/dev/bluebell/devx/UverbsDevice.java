package dev.bluebell.devx;

import dev.bluebell.hca.HcaIdentity;
import java.nio.file.Path;

/**
 * A device that sysfs lists and that the kernel's mlx5 driver has.
 *
 * @param name such as {@code mlx5_0} or {@code rocep1s0f0}
 * @param node its device file
 * @param identity as sysfs has it
 */
record UverbsDevice(String name, Path node, HcaIdentity identity) {}
