/** Connections by the RDMA connection manager, through the kernel's interface for librdmacm. */
@NullMarked
package dev.bluebell.connect.cm;

import org.jspecify.annotations.NullMarked;
