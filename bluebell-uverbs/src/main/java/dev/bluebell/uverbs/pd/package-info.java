/** Protection domains, address handles and XRC domains. */
@NullMarked
package dev.bluebell.uverbs.pd;

import org.jspecify.annotations.NullMarked;
