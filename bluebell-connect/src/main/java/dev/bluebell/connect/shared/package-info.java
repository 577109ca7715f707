/** Code that connections over TCP and by RDMA CM share. */
@NullMarked
package dev.bluebell.connect.shared;

import org.jspecify.annotations.NullMarked;
